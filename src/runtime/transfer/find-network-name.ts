import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { selectMirroredNetwork } from '../../../packages/store/read/select-mirrored-network.ts';

/** The name of the network that the database was filled for; null = it was never named. */
export async function findNetworkName(connectionString: string): Promise<string | null> {
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    return (await selectMirroredNetwork(db))?.name ?? null;
  } finally {
    await db.close();
  }
}
