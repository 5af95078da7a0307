// Blocks that may be sent on to those who follow this mirror, by number, and their kept files in parts. Each query
// reads one table: in a distributed database they lie on different machines.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

const listed = selectAll(
  columns('record_file', { number: 'index', consensusEnd: 'consensus_end' }),
  // Whether it has the root of a block. A record file has that of the block around it where those before it are known,
  // too.
  expression('hasRoot', 'bool', 'version >= 7 or wrapped_record_block_hash is not null'),
);

export type ListedBlock = RowOf<typeof listed>;

/** In order of their numbers. */
export function selectBlocksAfter(db: Database, after: bigint, limit: number): Promise<ListedBlock[]> {
  return db.query(
    selectQuery({
      name: 'select-blocks-after',
      select: listed,
      from: 'from record_file where index > $1 order by index limit $2',
      values: [after, BigInt(limit)],
    }),
  );
}

const outermost = columns('record_file', { number: 'index' });

/** null without a block. */
export async function selectOutermostNumber(db: Database, which: 'first' | 'last'): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: `select-${which}-number`,
    select: outermost,
    from: `from record_file order by index ${which === 'first' ? 'asc' : 'desc'} limit 1`,
    values: [],
  });
  return found?.number ?? null;
}

const keptPlace = columns('kept_stream_file', ['consensus_end', 'place']);

/** Of the blocks from one consensus end to another, both included. */
export function selectKeptPlaces(db: Database, from: bigint, to: bigint): Promise<RowOf<typeof keptPlace>[]> {
  return db.query(
    selectQuery({
      name: 'select-kept-places',
      select: keptPlace,
      from: 'from kept_stream_file where consensus_end >= $1 and consensus_end <= $2',
      values: [from, to],
    }),
  );
}

const part = expression('part', 'bytea', 'substring(bytes from $2 for $3)');

/** Of a kept block, from a byte on, of which the first is 1; null where none is kept. */
export async function selectKeptPart(db: Database, consensusEnd: bigint, from: number, length: number) {
  const found = await selectOne(db, {
    name: 'select-kept-part',
    select: part,
    from: 'from kept_stream_file where consensus_end = $1 and place = 0',
    values: [consensusEnd, from, length],
  });
  return found?.part ?? null;
}
