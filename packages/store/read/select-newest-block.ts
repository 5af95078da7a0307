// The newest block: how far the ledger is stored, and which software wrote it.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll } from './statement/columns.ts';

/**
 * `consensusEnd`: ns. `loadEnd`: when it was stored, s. `hapiVersion`: null if the block's file names none (before v5).
 */
export type NewestBlock = RowOf<typeof newestBlock>;

const newestBlock = selectAll(
  columns('record_file', { number: 'index', consensusEnd: 'consensus_end', loadEnd: 'load_end' }),
  expression(
    'hapiVersion',
    'text',
    "hapi_version_major || '.' || hapi_version_minor || '.' || hapi_version_patch",
  ).nullable(),
);

/** null = nothing is stored yet. */
export function selectNewestBlock(db: Database): Promise<NewestBlock | null> {
  return selectOne(db, {
    name: 'select-newest-block',
    select: newestBlock,
    from: 'from record_file order by consensus_end desc limit 1',
  });
}
