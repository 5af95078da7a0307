// Shard and realm of the network in a database: as stored by an import, else from the ledger's rows, in a database of
// an earlier version or of a mirror node.

import type { Database } from '../../postgres/wire/database.ts';
import { realmOf, type SystemRealm } from '../../protocol/hapi/system-entity.ts';
import { selectMirroredNetwork } from './select-mirrored-network.ts';
import { columns, selectQuery } from './statement/columns.ts';

/** null: unknown, because the database is empty. */
export async function selectSystemRealm(db: Database): Promise<SystemRealm | null> {
  const network = await selectMirroredNetwork(db);
  if (network && network.shard !== null && network.realm !== null) {
    return { shard: network.shard, realm: network.realm };
  }
  return selectRealmOfRows(db);
}

/**
 * Transfers come first: the network itself names their accounts. Of entities the one with the largest id, because an
 * earlier version of this program made a treasury in shard 0, realm 0 on every network.
 */
async function selectRealmOfRows(db: Database): Promise<SystemRealm | null> {
  for (const { table, select, from } of tellingRows) {
    const [row] = await db.query(selectQuery({ name: `select-realm-of-${table}`, select, from }));
    if (row) return realmOf(row.id);
  }
  return null;
}

const tellingRows = [
  {
    table: 'transfers',
    select: columns('crypto_transfer', { id: 'entity_id' }),
    from: 'from crypto_transfer order by consensus_timestamp limit 1',
  },
  { table: 'entities', select: columns('entity', { id: 'id' }), from: 'from entity order by id desc limit 1' },
  {
    table: 'books',
    select: columns('address_book', { id: 'file_id' }),
    from: 'from address_book order by start_consensus_timestamp desc limit 1',
  },
];
