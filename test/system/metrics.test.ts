// Metrics of a server that only answers: how old its answers are, how much it sends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { selectNewestBlock } from '../../packages/store/read/select-newest-block.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { serveHere } from '../support/program/serve-here.ts';

let scratch: ScratchDatabase;
let dataFolder: string;
let newestEnd: bigint;

beforeAll(async () => {
  scratch = await openLedger('small');
  dataFolder = mkdtempSync(join(tmpdir(), 'metrics-'));
  const db = openDatabase(scratch);
  newestEnd = (await selectNewestBlock(db))!.consensusEnd;
  await db.close();
});
afterAll(async () => {
  await scratch?.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

const ageNow = (): number => Date.now() / 1000 - Number(newestEnd) / 1e9;

test.each([[[]], [['--answer-cache', '0']], [['--read-only']]])('with %j', async (flags: string[]) => {
  const usual = ['--status-service', 'off', '--data-dir', dataFolder];
  const server = await serveHere(scratch.connectionString, [...usual, ...flags]);
  try {
    let sent = 0;
    for (const encoding of ['identity', 'gzip', 'identity']) {
      const answer = await fetch(`${server.url}/api/v1/transactions`, { headers: { 'accept-encoding': encoding } });
      await answer.arrayBuffer();
      const length = answer.headers.get('content-length');
      if (length !== null) sent += Number(length);
    }
    const head = await fetch(`${server.url}/api/v1/transactions`, { method: 'HEAD' });
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
    const refused = await fetch(`${server.url}/v2/contract/1/nothing`);
    expect([refused.status, refused.headers.get('x-content-type-options')]).toEqual([400, 'nosniff']);

    const newestAge = /^ledger_mirror_newest_block_age_seconds (\S+)$/m;
    let earliest = ageNow();
    let metrics = '';
    // Metrics wait for nothing, and on a busy machine the database may take longer than they do.
    while (!newestAge.test(metrics)) {
      earliest = ageNow();
      metrics = await (await fetch(`${server.url}/metrics`)).text();
    }
    const latest = ageNow();
    const readValue = (pattern: RegExp): number => Number(pattern.exec(metrics)?.[1]);
    const age = readValue(newestAge);
    expect(age).toBeGreaterThanOrEqual(earliest);
    expect(age).toBeLessThanOrEqual(latest);
    const ofRoute = (method: string, route: string): number =>
      readValue(new RegExp(`^http_response_body_bytes_total\\{method="${method}",route="${route}"\\} (\\S+)$`, 'm'));
    const bytes = ofRoute('GET', '/api/v1/transactions');
    expect(bytes).toBeGreaterThan(sent);
    expect(bytes).toBeLessThan(1.5 * sent);
    expect(ofRoute('HEAD', '/api/v1/transactions')).toBe(0);
    expect(ofRoute('GET', '/v2/contract/:chainId/:address')).toBeGreaterThan(50);
  } finally {
    await server.close();
  }
});

test('on a separate port: the public one has none, and the document does not name them', async () => {
  const said: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void said.push((JSON.parse(line) as { msg: string }).msg) });
  const flags = ['--metrics-port', '0', '--status-service', 'off', '--data-dir', dataFolder];
  const server = await serveHere(scratch.connectionString, flags, { log });
  try {
    const own = /^Metrics on (http:\S+)\/metrics$/m.exec(said.join('\n'))![1]!;
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    const document = await (await fetch(`${server.url}/api/v1/docs/openapi.json`)).text();
    expect(document).not.toContain('"/metrics"');
    const metrics = await (await fetch(`${own}/metrics`)).text();
    // From the start, with 0, also of what nobody has asked for.
    expect(metrics).toContain('http_requests_total{method="GET",route="/api/v1/accounts",status="503"} 0');
    expect(metrics).toContain('http_requests_total{method="GET",route="/api/v1/docs/openapi.json",status="200"} 1');
    expect((await fetch(`${own}/health/readiness`)).status).toBe(200);
    expect((await fetch(`${own}/api/v1/blocks`)).status).toBe(404);
  } finally {
    await server.close();
  }
});
