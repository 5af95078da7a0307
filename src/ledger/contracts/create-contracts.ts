// A contract as of now or as of T. Its code has no history: it is always the current one.
import { isAnyRange } from '../../kit/range.ts';
import type { ContractRow } from '../../store/read/select-contract.ts';
import { selectContractAt, selectContracts } from '../../store/read/select-contract.ts';
import type { Database } from '../../store/wire/database.ts';
import { toExpiryTimestamp } from '../expiry.ts';
import { toVersionFilter } from '../version-filter.ts';
import type { Contract, ContractQuery } from './contract.ts';

export type Contracts = {
  /** null = none, or (without timestamps) more than one. */
  find(query: ContractQuery): Promise<Contract | null>;
};

export function createContracts({ db }: { db: Database }): Contracts {
  return {
    async find({ reference, timestamp }) {
      if (!isAnyRange(timestamp)) {
        const row = await selectContractAt(db, reference, toVersionFilter(timestamp));
        return row && toContract(row);
      }
      const rows = await selectContracts(db, reference);
      return rows.length === 1 ? toContract(rows[0]!) : null;
    },
  };
}

const lowest38Bits = (1n << 38n) - 1n;

function toContract(row: ContractRow): Contract {
  return {
    adminKey: row.key,
    autoRenewAccountId: row.auto_renew_account_id,
    autoRenewPeriod: row.auto_renew_period,
    id: row.id,
    createdTimestamp: row.created_timestamp,
    deleted: row.deleted,
    evmAddress: row.evm_address,
    expirationTimestamp: toExpiryTimestamp(row, row.created_timestamp),
    fileId: row.file_id,
    maxAutomaticTokenAssociations: row.max_automatic_token_associations,
    memo: row.memo,
    nonce: row.ethereum_nonce,
    obtainerId: row.obtainer_id,
    permanentRemoval: row.permanent_removal,
    proxyAccountId: row.proxy_account_id,
    timestamp: { from: row.valid_from, to: row.valid_to },
    bytecode: toBytecode(row),
    runtimeBytecode: row.runtime_bytecode,
  };
}

// Files up to number 1000 belong to the system: their number stands for "no file".
function toBytecode(row: ContractRow): Contract['bytecode'] {
  const hasFile = row.file_id !== null && (row.file_id & lowest38Bits) > 1000n;
  return hasFile ? { fileText: row.file_content?.toString('utf8') ?? '' } : { initcode: row.initcode };
}
