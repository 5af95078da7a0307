// Blocks: a page by number or by the consensus time of their end, or one by its name.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

export type BlockRow = RowOf<typeof blockRow>;

export type BlocksFilter = PageFilter & {
  number: Range;
  /** Of the consensus end, ns. */
  timestamp: Range;
  by: 'number' | 'timestamp';
};

export function selectBlocks(db: Database, { number, timestamp, by, ...page }: BlocksFilter): Promise<BlockRow[]> {
  const [index, end] = [{ index: number }, { consensus_end: timestamp }];
  const query = { name: 'select-blocks', shape: by, select: blockRow, from: 'record_file where true', values: [] };
  return by === 'number'
    ? selectPage(db, page, { ...query, keys: index, further: end })
    : selectPage(db, page, { ...query, keys: end, further: index });
}

/** A prefix of a hash is hex in lower case, without `0x`. */
export type BlockName = { number: bigint } | { hashPrefix: string };

/** At most two. */
export async function selectBlocksNamed(db: Database, name: BlockName): Promise<BlockRow[]> {
  const byNumber = 'number' in name;
  const query = selectQuery({
    name: byNumber ? 'select-block-by-number' : 'select-block-by-hash',
    select: blockRow,
    // Hashes are hex: `g` follows every one of them.
    from: `from record_file
where ${byNumber ? 'index = $1' : `hash collate "C" >= $1 and hash collate "C" < $1 || 'g'`} limit 2`,
    values: [byNumber ? name.number : name.hashPrefix],
  });
  return db.query(query);
}

const blockRow = selectAll(
  columns('record_file', [
    'consensus_end',
    'consensus_start',
    'count',
    'gas_used',
    'hapi_version_major',
    'hapi_version_minor',
    'hapi_version_patch',
    'hash',
    'logs_bloom',
    'name',
  ]),
  columns('record_file', { number: 'index', previous_hash: 'prev_hash' }),
  expression('size', 'int4', 'coalesce(size, octet_length(bytes))').nullable(),
);
