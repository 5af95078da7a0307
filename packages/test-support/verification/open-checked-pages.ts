// The HTTP side over a database with given rows and checked contracts.
import { openServer } from '../http/open-server.ts';
import type { SetupRow } from '../rows/setup-row.ts';
import { type StoredRows, storeRows } from '../rows/store-rows.ts';
import { openChecked, type StoredMatch } from './open-checked.ts';

export type CheckedPages = {
  app: ReturnType<typeof openServer>;
  stored: StoredRows;
  close(): Promise<void>;
};

/** In the dialect `spec`. */
export async function openCheckedPages(
  rows: readonly SetupRow[],
  matches: readonly StoredMatch[],
): Promise<CheckedPages> {
  const stored = await storeRows(rows);
  const { abis, sources, store } = openChecked(stored.db);
  for (const match of matches) await store(match);
  const app = openServer(stored.db, 'spec', { abis, sources });
  return {
    app,
    stored,
    async close() {
      await app.close();
      await stored.close();
    },
  };
}
