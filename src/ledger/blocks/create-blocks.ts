// Queries about blocks.
import {
  type BlockName,
  type BlockRow,
  type BlocksFilter,
  selectBlocks,
  selectBlocksNamed,
} from '../../store/read/select-blocks.ts';
import type { Wanted } from '../../store/read/select-page.ts';
import type { Database } from '../../store/wire/database.ts';
import { askPage, whereEvery } from '../question/page.ts';

export function createBlocks({ db }: { db: Database }) {
  return {
    /** Every condition must hold. The next page begins by number, whatever the order. */
    list: <Name extends string>(query: BlocksFilter & Wanted<Name>) =>
      askPage(
        whereEvery(query, ['number', 'timestamp']),
        async (filter) => (await selectBlocks(db, filter)).map(toBlock),
        (last) => last.number,
      ),
    /** null also if several blocks have that name. */
    async find<Name extends string>(name: BlockName, wanted: Wanted<Name>) {
      const [row, other] = await selectBlocksNamed(db, name, wanted);
      return row && !other ? toBlock(row) : null;
    },
  };
}

/** `hapiVersion`: null if the block's file names none. −1 in gas_used means that it was not counted. */
function toBlock<Row extends BlockRow>(row: Row) {
  const version = [row.hapiVersionMajor, row.hapiVersionMinor, row.hapiVersionPatch];
  return {
    ...row,
    hapiVersion: version.includes(null) ? null : version.join('.'),
    gasUsed: row.gasUsed === -1n ? null : row.gasUsed,
    logsBloom: row.logsBloom ?? bloomWithoutLogs(row.gasUsed),
  };
}

/** Older programs stored no bloom for a block without logs; gas was counted from the start. */
function bloomWithoutLogs(gasUsed: bigint | null): Buffer | null {
  if (gasUsed === null || gasUsed < 0n) return null;
  return gasUsed > 0n ? noLogs : noResults;
}

const noLogs = Buffer.alloc(256);
const noResults = Buffer.alloc(0);
