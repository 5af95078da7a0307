// A ledger of a simulated network behind the real HTTP side, asked without a port, and what a crawler needs of it.
import type { FastifyInstance } from 'fastify';
import { openPages } from '../../packages/test-support/http/open-pages.ts';
import { openSimulated } from '../../packages/test-support/http/open-simulated.ts';
import type { SetupRow } from '../../packages/test-support/rows/setup-row.ts';
import type { Fetch } from '../support/crawl.ts';
import { type AskJson, readExactJson } from './compare-with-api.ts';

export type CrawledServer = { app: FastifyInstance; fetch: Fetch; askJson: AskJson; close(): Promise<void> };

export async function openCrawled({ seed, blocks }: { seed: string; blocks: number }): Promise<CrawledServer> {
  return toCrawled(await openSimulated({ seed, blocks, transactionsPerBlock: 15 }));
}

export async function openWithRows(rows: readonly SetupRow[]): Promise<CrawledServer> {
  return toCrawled(await openPages(rows));
}

function toCrawled({ app, close }: { app: FastifyInstance; close(): Promise<void> }): CrawledServer {
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
    close,
  };
}
