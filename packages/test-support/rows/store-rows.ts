// A test database with these rows and nothing else.
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import { createScratchDatabase } from '../postgres/scratch-database.ts';
import { loadRows } from './load-rows.ts';
import type { SetupRow } from './setup-row.ts';

export type StoredRows = { connectionString: string; db: Database; close(): Promise<void> };

export async function storeRows(rows: readonly SetupRow[]): Promise<StoredRows> {
  const { connectionString, close } = await createScratchDatabase();
  await loadRows(connectionString, rows);
  const db = openDatabase({ connectionString });
  return {
    connectionString,
    db,
    async close() {
      await db.close();
      await close();
    },
  };
}
