import type { Database } from '../../postgres/wire/database.ts';
import type { MirroredNetwork } from '../read/select-mirrored-network.ts';

/** Known values stay; only missing ones are added. */
export async function upsertMirroredNetwork(
  db: Database,
  { name, chainId }: Pick<MirroredNetwork, 'name' | 'chainId'>,
): Promise<void> {
  await db.query({
    name: 'upsert-mirrored-network',
    text: `insert into mirrored_network (id, name, chain_id) values (1, $1, $2)
on conflict (id) do update set name = coalesce(mirrored_network.name, excluded.name),
  chain_id = coalesce(mirrored_network.chain_id, excluded.chain_id)`,
    values: [name, chainId],
  });
}
