// Blocks: a page by number or by the consensus time of their end, or one by its name.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { type PageFilter, selectPage, type Wanted } from './select-page.ts';
import { choosing, everyColumn, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

const block = selectAll(
  everyColumn('record_file', { number: 'index', previous_hash: 'prev_hash' }),
  expression('size', 'int4', 'coalesce(size, octet_length(bytes))').nullable(),
);
const needed = ['consensusEnd', 'consensusStart', 'gasUsed', 'logsBloom', 'number'] as const;
const versions = ['hapiVersionMajor', 'hapiVersionMinor', 'hapiVersionPatch'] as const;
const select = choosing(block, [...needed, ...versions]);

/** The columns that are read. */
export type BlockRow = Pick<RowOf<typeof block>, (typeof needed | typeof versions)[number]>;

export type BlocksFilter = PageFilter & {
  number: Range;
  /** Of the consensus end, ns. */
  timestamp: Range;
  by: 'number' | 'timestamp';
};

export function selectBlocks<Name extends string>(db: Database, filter: BlocksFilter & Wanted<Name>) {
  const { number, timestamp, by, members } = filter;
  const [index, end] = [{ index: number }, { consensus_end: timestamp }];
  const query = {
    name: 'select-blocks',
    shape: by,
    select: select(members),
    from: 'record_file where true',
    values: [],
  };
  return by === 'number'
    ? selectPage(db, filter, { ...query, keys: index, further: end })
    : selectPage(db, filter, { ...query, keys: end, further: index });
}

/** A prefix of a hash is hex in lower case, without `0x`. */
export type BlockName = { number: bigint } | { hashPrefix: string };

/** At most two. */
export function selectBlocksNamed<Name extends string>(db: Database, name: BlockName, { members }: Wanted<Name>) {
  const byNumber = 'number' in name;
  const query = selectQuery({
    name: byNumber ? 'select-block-by-number' : 'select-block-by-hash',
    select: select(members),
    // Hashes are hex: `g` follows every one of them.
    from: `from record_file
where ${byNumber ? 'index = $1' : `hash collate "C" >= $1 and hash collate "C" < $1 || 'g'`} limit 2`,
    values: [byNumber ? name.number : name.hashPrefix],
  });
  return db.query(query);
}
