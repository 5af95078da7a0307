// The questions about blocks.
import { everyCondition, isEmptyRange, type Range } from '../../kit/range.ts';
import { type BlockName, type BlockRow, selectBlocks, selectBlocksNamed } from '../../store/read/select-blocks.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';

export type Block = BlockRow & {
  /** null where the block's file names none. */
  hapiVersion: string | null;
};

/** Every condition must hold. */
export type BlocksQuery = {
  number: Range;
  /** Consensus end, ns. */
  timestamp: Range;
  by: 'number' | 'timestamp';
  order: 'asc' | 'desc';
  limit: number;
};

export function createBlocks({ db }: { db: Database }) {
  return {
    /** The next page begins by number, whatever the order. */
    async list({ number, timestamp, by, order, limit }: BlocksQuery): Promise<Page<Block>> {
      const filter = { number: everyCondition(number), end: everyCondition(timestamp), order, limit };
      if (isEmptyRange(filter.number) || isEmptyRange(filter.end)) return emptyPage;
      const rows = await selectBlocks(db, { ...filter, by: by === 'number' ? 'index' : 'consensus_end' });
      return toPage(rows.map(toBlock), limit, (last) => last.number);
    },
    /** null too where several blocks have that name. */
    async find(name: BlockName): Promise<Block | null> {
      const [row, other] = await selectBlocksNamed(db, name);
      return row && !other ? toBlock(row) : null;
    },
  };
}

// −1 in gas_used says that it was not counted.
function toBlock(row: BlockRow): Block {
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
