// Contracts: one now or at T, a page of them, the storage of one. Code has no history: it is always the current one.

import { isAnyRange, isEmptyRange, type Range } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type ContractReference,
  type ContractRow,
  type ContractsFilter,
  type ListedContractRow,
  selectContractAt,
  selectContractIds,
  selectContractPage,
  selectContracts,
} from '../../../packages/store/read/select-contract.ts';
import { selectContractVersions } from '../../../packages/store/read/select-contract-versions.ts';
import { toExpiryTimestamp } from '../question/expiry.ts';
import { askPage } from '../question/page.ts';
import { toMomentFilter, toVersionFilter } from '../question/version-filter.ts';
import { createContractState } from './contract-state.ts';

type ContractQuery = {
  reference: ContractReference;
  /** On the version's validity; without any condition the current version is meant. */
  timestamp: Range;
  /** Whether `ne` excludes one moment, and not every version that was valid then. */
  leavesOutMoments?: boolean;
};

type ContractsQuery = ContractsFilter & {
  /** Any of `equals`, including contracts at `addresses`; all of the others. */
  id: Range & { addresses: readonly Buffer[] };
};

export function createContracts({ db }: { db: Database }) {
  return {
    /** null = none, or (without timestamps) more than one. */
    async find({ reference, timestamp, leavesOutMoments }: ContractQuery) {
      if (!isAnyRange(timestamp)) {
        const filter = leavesOutMoments ? toMomentFilter(timestamp) : toVersionFilter(timestamp);
        const row = filter && (await selectContractAt(db, reference, filter));
        return row && toContract(row);
      }
      const rows = await selectContracts(db, reference);
      return rows.length === 1 ? toContract(rows[0]!) : null;
    },
    /** By id. */
    list: (query: ContractsQuery) =>
      askPage(
        isEmptyRange(query.id) ? null : query,
        async ({ id: { addresses, ...range }, ...filter }) => {
          const found = await Promise.all(addresses.map(onlyId));
          const id = { ...range, equals: [...range.equals, ...found.filter((one) => one !== null)] };
          return (await selectContractPage(db, { ...filter, id })).map(withExpiry);
        },
        (last) => last.contractId,
      ),
    /** The id of an entity that may hold code: a number is not checked, null = nothing is at the address. */
    async resolve(reference: ContractReference): Promise<bigint | null> {
      return reference.kind === 'id' ? reference.id : onlyId(reference.address);
    },
    listState: createContractState({ db }),
    /** What was written down of it, at most `limit` versions that began before `before` (ns), the newest first. */
    listVersions: (question: { contractId: bigint; before: bigint; limit: number }) =>
      selectContractVersions(db, question),
  };

  async function onlyId(address: Buffer): Promise<bigint | null> {
    const ids = await selectContractIds(db, address);
    if (ids.length > 1)
      throw new Error(`Entities ${ids.join(' and ')} share the EVM address 0x${address.toString('hex')}`);
    return ids[0] ?? null;
  }
}

const lowest38Bits = (1n << 38n) - 1n;

/**
 * With its creation code: hex text of the bytecode file (may already begin with 0x), or the bytes of the initcode.
 * Files up to number 1000 belong to the system: their number means "no file".
 */
function toContract(row: ContractRow) {
  const hasFile = row.fileId !== null && (row.fileId & lowest38Bits) > 1000n;
  const bytecode = hasFile ? (row.fileContent?.toString('utf8') ?? '') : row.initcode;
  return { ...withExpiry(row), bytecode };
}

function withExpiry<Row extends ListedContractRow>(row: Row): Row {
  return { ...row, expirationTimestamp: toExpiryTimestamp(row, row.createdTimestamp) };
}
