// The network that a database was filled for.
import type { Database } from '../../postgres/wire/database.ts';
import { canRead, selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

const mirroredNetwork = selectAll(
  // null = it was never named.
  expression('name', 'text', 'name').nullable(),
  // null = derived from the name.
  expression('chainId', 'int8', 'chain_id').nullable(),
  // null = no block has shown it yet. A database of an earlier version, which may be read only, has no such columns.
  expression('shard', 'int8', `(to_jsonb(n) ->> 'shard')::int8`).nullable(),
  expression('realm', 'int8', `(to_jsonb(n) ->> 'realm')::int8`).nullable(),
);

export type MirroredNetwork = RowOf<typeof mirroredNetwork>;

/** null = unknown: a new database, or one that this program does not own. */
export async function selectMirroredNetwork(db: Database): Promise<MirroredNetwork | null> {
  if (!(await canRead(db, 'mirrored_network'))) return null;
  return selectOne(db, {
    name: 'select-mirrored-network',
    select: mirroredNetwork,
    from: 'from mirrored_network n',
  });
}
