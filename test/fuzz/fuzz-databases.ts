// The databases of generated requests: one of a simulated network, one of corner cases.

import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { loadRows } from '../../packages/test-support/rows/load-rows.ts';
import { toSetupRows } from '../../packages/test-support/rows/setup-rows.ts';
import { cornerSetup } from './corner-setup.ts';
import { type LedgerWords, readLedgerWords } from './ledger-words.ts';

type FuzzDatabase = { name: string; connectionString: string; db: Database; words: LedgerWords };

export type FuzzDatabases = { list: FuzzDatabase[]; close(): Promise<void> };

/** `seed` and `blocks` of the simulated network. */
export async function openFuzzDatabases({ seed, blocks }: { seed: string; blocks: number }): Promise<FuzzDatabases> {
  const ledger = await openImported({ seed, blocks, transactionsPerBlock: 12 });
  const network = await ledger.openDatabase();
  const corners = await createScratchDatabase();
  await loadRows(corners.connectionString, [addressBook, ...toSetupRows(cornerSetup, { shard: 0n, realm: 0n })]);
  const list: FuzzDatabase[] = [];
  for (const [name, { connectionString }] of Object.entries({ network, corners })) {
    const db = openDatabase({ connectionString });
    list.push({ name, connectionString, db, words: await readLedgerWords(db) });
  }
  return {
    list,
    async close() {
      for (const { db } of list) await db.close();
      await corners.close();
      await network.close();
    },
  };
}

/** Without one a mirror is not ready, and says so with 503. */
const addressBook = {
  table: 'address_book',
  row: { start_consensus_timestamp: 1n, file_id: 102n, file_data: Buffer.alloc(0), node_count: 0 },
};
