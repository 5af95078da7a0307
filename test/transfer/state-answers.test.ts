// A mirror that began with the state of an export answers as one that saw everything and dropped what was before: made-up requests
// to every endpoint, about now and any other time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { createRowDropper } from '../../src/store/retention/row-dropper.ts';
import { withClient } from '../../src/store/wire/connect-client.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { type FuzzRequest, toUrl } from '../fuzz/fuzz-request.ts';
import { type LedgerWords, readLedgerWords } from '../fuzz/ledger-words.ts';
import { makeRequest } from '../fuzz/make-request.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

const requests = Number(process.env.STATE_REQUESTS ?? 400);

// Two ledgers are imported, and asked; more requests take longer.
vi.setConfig({ testTimeout: 240_000 + 200 * requests, hookTimeout: 240_000 });

let folder: string;
const scratch: ScratchDatabase[] = [];
const opened: Database[] = [];
let words: LedgerWords;
let state: Database;
let cut: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'state-answers-'));
  // A day between two blocks: stakes and rewards change with each.
  const stream = await writeSimulatedStream({
    seed: 'state',
    blocks: 50,
    transactionsPerBlock: 40,
    blockTime: 86_400_000_000_000n,
  });
  for (let index = 0; index < 2; index++) scratch.push(await createScratchDatabase());
  const [whole, copy] = scratch.map(({ connectionString }) => connectionString) as [string, string];
  await stream.importInto(whole, { until: { kind: 'block', number: 29n } });
  await writeExport(whole, folder);
  await loadFrom(folder, copy, { mode: { kind: 'state' } });
  for (const place of [whole, copy]) await stream.importInto(place);
  stream.close();
  const before = await withClient(copy, 'test', async (client) => {
    const { rows } = await client.query<{ kept: string }>('select kept_from::text as kept from mirror_extent');
    // The block from which it goes on, of which it has nothing but its row.
    await client.query('delete from record_file where consensus_end < (select kept_from from mirror_extent)');
    return BigInt(rows[0]!.kept);
  });
  const all = openDatabase({ connectionString: whole });
  words = await readLedgerWords(all);
  await all.close();
  const dropper = await createRowDropper(whole);
  await dropper.dropBefore(before);
  await dropper.close();
  [cut, state] = [openDatabase({ connectionString: whole }), openDatabase({ connectionString: copy })];
  opened.push(cut, state);
});

afterAll(async () => {
  for (const db of opened) await db.close();
  for (const database of scratch) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Storage at a moment: docs/reference/exports.md says why. */
function isOfPastStorage({ path, query }: FuzzRequest): boolean {
  const isStorage = /(?:contracts\/[^/]+\/state|hooks\/[^/]+\/storage)/i.test(path);
  return isStorage && query.some((part) => /timestamp/i.test(part));
}

test.each(['spec', 'hiero'] as const)('%s: answers are equal', async (dialect) => {
  const apps = [openServer(cut, dialect), openServer(state, dialect)];
  const random = createSeededRandom(`state, ${dialect}`);
  const different: string[] = [];
  const statuses: Record<number, number> = {};
  for (let count = 0; count < requests; count++) {
    const request = makeRequest(random, words);
    const answers = [];
    for (const app of apps) {
      const payload = request.body === '' ? undefined : Buffer.from(request.body, 'latin1');
      const headers = Object.fromEntries(request.headers);
      const method = request.method as 'GET';
      answers.push(await app.inject({ method, url: toUrl(request), headers, ...(payload ? { payload } : {}) }));
    }
    const [expected, found] = answers;
    statuses[expected!.statusCode] = (statuses[expected!.statusCode] ?? 0) + 1;
    const isEqual = expected!.statusCode === found!.statusCode && expected!.body === found!.body;
    if (isEqual || isOfPastStorage(request) || /^\/metrics/.test(request.path)) continue;
    different.push(
      `${toUrl(request)}\n  ${expected!.statusCode} ${expected!.body.slice(0, 1500)}\n  ${found!.statusCode} ${found!.body.slice(0, 1500)}`,
    );
  }
  for (const app of apps) await app.close();
  expect(different.join('\n')).toBe('');
  expect(statuses[200]).toBeGreaterThan(requests / 5);
});
