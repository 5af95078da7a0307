// Pages over a database with given rows, asked without a port and read as a browser does.
import type { SetupRow } from '../rows/setup-row.ts';
import { storeRows } from '../rows/store-rows.ts';
import { openServer } from './open-server.ts';
import { type ReadPage, readPage } from './read-page.ts';

export type OpenedPages = {
  app: ReturnType<typeof openServer>;
  /** `path`: below the network's name. */
  page(path: string): Promise<ReadPage & { statusCode: number }>;
  close(): Promise<void>;
};

export async function openPages(rows: readonly SetupRow[]): Promise<OpenedPages> {
  const stored = await storeRows(rows);
  const app = openServer(stored.db, 'spec');
  return {
    app,
    async page(path) {
      const { statusCode, body } = await app.inject(`/demo/${path}`);
      return { statusCode, ...readPage(body) };
    },
    async close() {
      await app.close();
      await stored.close();
    },
  };
}
