// A ledger of a simulated network behind the real HTTP side, asked without a port, and what a crawler needs of it.
import type { FastifyInstance } from 'fastify';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { loadRows } from '../../packages/test-support/rows/load-rows.ts';
import type { SetupRow } from '../../packages/test-support/rows/setup-row.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { openDatabase } from '../../src/store/wire/database.ts';
import { type AskJson, readExactJson } from './compare-with-api.ts';
import type { Fetch } from './crawl.ts';

export type CrawledServer = { app: FastifyInstance; fetch: Fetch; askJson: AskJson; close(): Promise<void> };

export async function openSimulated({ seed, blocks }: { seed: string; blocks: number }): Promise<CrawledServer> {
  const scratch = await createScratchDatabase();
  const stream = await writeSimulatedStream({ seed, blocks, transactionsPerBlock: 15 });
  await stream.importInto(scratch.connectionString);
  stream.close();
  return openOver(scratch);
}

export async function openWithRows(rows: readonly SetupRow[]): Promise<CrawledServer> {
  const scratch = await createScratchDatabase();
  await loadRows(scratch.connectionString, rows);
  return openOver(scratch);
}

async function openOver(scratch: Awaited<ReturnType<typeof createScratchDatabase>>): Promise<CrawledServer> {
  const db = openDatabase({ connectionString: scratch.connectionString });
  const app = openServer(db, 'spec');
  const fetch: Fetch = async (path) => {
    // Large answers, such as lists of opcodes, are sent compressed only.
    const { statusCode, headers, body } = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
    const isPlain = headers['content-encoding'] === undefined;
    const whole = isPlain ? body : (await app.inject(path)).body;
    return {
      status: statusCode,
      type: String(headers['content-type'] ?? ''),
      location: headers.location ?? null,
      body: String(headers['content-type']).startsWith('text/html') ? whole : '',
    };
  };
  return {
    app,
    fetch,
    askJson: async (path) => readExactJson((await app.inject(path)).body),
    async close() {
      await app.close();
      await db.close();
      await scratch.close();
    },
  };
}
