// Both forms of the root of a stored block, if it may have the older one.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, type RowOf } from './statement/columns.ts';

export type RootForms = RowOf<typeof rootForms>;

const rootForms = columns('block_root_forms', { newer: 'newer', older: 'older' });

/** null: it has the newer form, or is unknown. */
export function selectRootForms(db: Database, consensusEnd: bigint): Promise<RootForms | null> {
  return selectOne(db, {
    name: 'select-root-forms',
    select: rootForms,
    from: 'from block_root_forms where consensus_end = $1',
    values: [consensusEnd],
  });
}
