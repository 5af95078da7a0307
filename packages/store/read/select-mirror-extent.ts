// Which part of the ledger the database holds: where it begins, and what it excludes.
import type { Database } from '../../postgres/wire/database.ts';
import { isFirstBlock } from './is-first-block.ts';
import { canRead, selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll } from './statement/columns.ts';

const storedExtent = selectAll(
  // The start that was requested when the database was empty.
  expression('begunAt', 'text', 'begun_at'),
  // Entities and types that are imported, and those that are not; null = all, and none.
  expression('included', 'text', 'included').nullable(),
  expression('excluded', 'text', 'excluded').nullable(),
  // Consensus timestamp from which on nothing has been dropped; null = nothing ever was.
  expression('keptFrom', 'int8', 'kept_from').nullable(),
  // Whether the first imported block is the ledger's first one; null = nothing was imported yet.
  expression('knowsBeginning', 'bool', 'knows_beginning').nullable(),
);

/** The extent as it was set. */
export type StoredExtent = RowOf<typeof storedExtent>;

/** null = it was never set: an older database, or one that this program does not own. */
export async function selectStoredExtent(db: Database): Promise<StoredExtent | null> {
  if (!(await canRead(db, 'mirror_extent'))) return null;
  return selectOne(db, { name: 'select-mirror-extent', select: storedExtent, from: 'from mirror_extent' });
}

const oldestBlock = selectAll(
  columns('record_file', { number: 'index', consensusStart: 'consensus_start' }),
  expression('isFirst', 'bool', isFirstBlock),
);

/** `isFirst`: of the ledger. */
export type OldestBlock = RowOf<typeof oldestBlock>;

/** null = nothing is stored yet. */
export function selectOldestBlock(db: Database): Promise<OldestBlock | null> {
  return selectOne(db, {
    name: 'select-oldest-block',
    select: oldestBlock,
    from: 'from record_file order by consensus_end limit 1',
  });
}
