// Which living entities stand behind an EVM address or an alias. At most two come back: two means ambiguous.
import type { Database } from '../database.ts';

export async function selectIdsByEvmAddress(db: Database, evmAddress: Buffer): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>({
    name: 'select-ids-by-evm-address',
    // An entity whose `deleted` is unknown counts as gone here, but not for an alias: clients rely on both.
    text: 'select id from entity where evm_address = $1 and deleted <> true limit 2',
    values: [evmAddress],
  });
  return rows.map((row) => row.id);
}

export async function selectIdsByAlias(db: Database, alias: Buffer): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>({
    name: 'select-ids-by-alias',
    text: 'select id from entity where alias = $1 and coalesce(deleted, false) <> true limit 2',
    values: [alias],
  });
  return rows.map((row) => row.id);
}
