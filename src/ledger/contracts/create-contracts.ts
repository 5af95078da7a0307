// Contracts: one as of now or as of T, a page of them, the storage of one. Code has no history: it is always the current one.
import { isAnyRange, isEmptyRange } from '../../kit/range.ts';
import type { ContractRow, ListedContractRow } from '../../store/read/select-contract.ts';
import {
  selectContractAt,
  selectContractIds,
  selectContractPage,
  selectContracts,
} from '../../store/read/select-contract.ts';
import type { Database } from '../../store/wire/database.ts';
import { toExpiryTimestamp } from '../question/expiry.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';
import { toMomentFilter, toVersionFilter } from '../question/version-filter.ts';
import type { Contract, ContractQuery, ContractReference, ContractsQuery, ListedContract } from './contract.ts';
import { createContractState } from './contract-state.ts';

export function createContracts({ db }: { db: Database }) {
  return {
    /** null = none, or (without timestamps) more than one. */
    async find({ reference, timestamp, leavesOutMoments }: ContractQuery): Promise<Contract | null> {
      if (!isAnyRange(timestamp)) {
        const filter = leavesOutMoments ? toMomentFilter(timestamp) : toVersionFilter(timestamp);
        const row = filter && (await selectContractAt(db, reference, filter));
        return row && toContract(row);
      }
      const rows = await selectContracts(db, reference);
      return rows.length === 1 ? toContract(rows[0]!) : null;
    },
    /** By id. */
    async list({ id, order, limit }: ContractsQuery): Promise<Page<ListedContract>> {
      if (isEmptyRange(id)) return emptyPage;
      const found = await Promise.all(id.addresses.map((address) => onlyId(address)));
      const equals = [...id.equals, ...found.filter((one) => one !== null)];
      const rows = await selectContractPage(db, { id: { ...id, equals }, order, limit });
      return toPage(rows.map(toListedContract), limit, (last) => last.id);
    },
    /** The id of what may hold code: a number is taken at its word, null = nothing lives at the address. */
    async resolve(reference: ContractReference): Promise<bigint | null> {
      return reference.kind === 'id' ? reference.id : onlyId(reference.address);
    },
    listState: createContractState({ db }),
  };

  async function onlyId(address: Buffer): Promise<bigint | null> {
    const ids = await selectContractIds(db, address);
    if (ids.length > 1)
      throw new Error(`Entities ${ids.join(' and ')} share the EVM address 0x${address.toString('hex')}`);
    return ids[0] ?? null;
  }
}

const lowest38Bits = (1n << 38n) - 1n;

function toContract(row: ContractRow): Contract {
  return { ...toListedContract(row), bytecode: toBytecode(row), runtimeBytecode: row.runtimeBytecode };
}

function toListedContract(row: ListedContractRow): ListedContract {
  return {
    adminKey: row.key,
    autoRenewAccountId: row.autoRenewAccountId,
    autoRenewPeriod: row.autoRenewPeriod,
    id: row.id,
    createdTimestamp: row.createdTimestamp,
    deleted: row.deleted,
    evmAddress: row.evmAddress,
    expirationTimestamp: toExpiryTimestamp(row, row.createdTimestamp),
    fileId: row.fileId,
    maxAutomaticTokenAssociations: row.maxAutomaticTokenAssociations,
    memo: row.memo,
    nonce: row.ethereumNonce,
    obtainerId: row.obtainerId,
    permanentRemoval: row.permanentRemoval,
    proxyAccountId: row.proxyAccountId,
    timestamp: { from: row.validFrom, to: row.validTo },
  };
}

// Files up to number 1000 belong to the system: their number stands for "no file".
function toBytecode(row: ContractRow): Contract['bytecode'] {
  const hasFile = row.fileId !== null && (row.fileId & lowest38Bits) > 1000n;
  return hasFile ? { fileText: row.fileContent?.toString('utf8') ?? '' } : { initcode: row.initcode };
}
