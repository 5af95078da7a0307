// The block that contracts see: the newest one, or one by its name; and hashes of others.
import type { Database } from '../../../postgres/wire/database.ts';
import { selectOne } from '../select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from '../statement/columns.ts';

const block = columns('record_file', {
  number: 'index',
  consensus_start: 'consensus_start',
  consensus_end: 'consensus_end',
  hash: 'hash',
  previous_hash: 'prev_hash',
});
/** Hashes in hex; times in ns. */
export type StateBlockRow = RowOf<typeof block>;

const newestBlock = selectAll(block, expression('lastId', 'int8', '(select max(id) from entity)').nullable());

/** With the largest id of an entity. null = nothing is stored yet. */
export function selectNewestStateBlock(db: Database): Promise<RowOf<typeof newestBlock> | null> {
  return selectOne(db, {
    name: 'select-newest-state-block',
    select: newestBlock,
    from: 'from record_file order by consensus_end desc limit 1',
  });
}

const blockEnd = columns('record_file', ['consensus_end']);

/** ns; null = nothing is stored yet. */
export async function selectNewestBlockEnd(db: Database): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-newest-block-end',
    select: blockEnd,
    from: 'from record_file order by consensus_end desc limit 1',
  });
  return found?.consensusEnd ?? null;
}

export type StateBlockName = 'earliest' | { number: bigint } | { hashPrefix: string } | { around: bigint };

const conditions = {
  earliest: 'order by consensus_end limit 1',
  number: 'where index = $1 limit 1',
  // Hashes are hex: `g` follows every one of them.
  hashPrefix: `where hash collate "C" >= $1 and hash collate "C" < $1 || 'g' limit 1`,
  around: 'where consensus_end >= $1 order by consensus_end limit 1',
};

/** A prefix of a hash is hex in lower case, without `0x`; `around` is a consensus time in it, ns. */
export function selectStateBlock(db: Database, name: StateBlockName): Promise<StateBlockRow | null> {
  const [kind, value] = name === 'earliest' ? ([name, null] as const) : Object.entries(name)[0]!;
  return selectOne(db, {
    name: 'select-state-block',
    shape: kind,
    select: block,
    from: `from record_file ${conditions[kind as keyof typeof conditions]}`,
    values: value === null ? [] : [value],
  });
}

const blockHash = columns('record_file', { number: 'index', hash: 'hash' });

export function selectBlockHashes(db: Database, numbers: readonly bigint[]): Promise<RowOf<typeof blockHash>[]> {
  return db.query(
    selectQuery({
      name: 'select-block-hashes',
      select: blockHash,
      from: 'from record_file where index = any($1::int8[])',
      values: [numbers],
    }),
  );
}
