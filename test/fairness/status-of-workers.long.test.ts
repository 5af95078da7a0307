// A `serve` of several processes: what clients lose at any of them is counted together, by client. One address that
// fails at each of them moves nothing, all of them do.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { honest, hostile } from '../support/fairness.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { keepAsking } from './keep-asking.ts';
import { lockTable } from './lock-table.ts';
import { readStatusOnDisk } from './status-on-disk.ts';

const hourMs = 3_600_000;
const judged = Object.entries(defaultStatusRules.levels)
  .filter(([, { component }]) => component === 'api')
  .map(([name]) => name);
const rules = {
  timings: { tickMs: 1000, staleMs: 60_000, outageOpensMs: hourMs, degradedOpensMs: hourMs, selfTestMs: hourMs },
  levels: Object.fromEntries(judged.map((name) => [name, { holdMs: 0, leaveMs: hourMs }])),
};

let scratch: Awaited<ReturnType<typeof createScratchDatabase>>;
let folder: string;
let mirror: RunningMirror;
let url: string;
let unlock: () => Promise<void>;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  const stream = await writeSimulatedStream({ seed: 'status of workers', blocks: 4, transactionsPerBlock: 10 });
  await stream.importInto(scratch.connectionString);
  stream.close();
  folder = mkdtempSync(join(tmpdir(), 'status-of-workers-'));
  chmodSync(folder, 0o711);
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
  mirror = runMirror(
    [
      ...['serve', '--port=0', '--workers=2', `--data-dir=${folder}`, `--status-rules=${join(folder, 'rules.json')}`],
      ...['--network=testnet', '--statement-timeout=1', '--status-outlive=0'],
    ],
    { env: { DATABASE_URL: scratch.connectionString } },
  );
  url = new URL((await mirror.says(/Answering on (http:\S+)/))[1]!).origin;
  await vi.waitUntil(() => readState().readings['api.requests'], { timeout: waitMs, interval: 500 });
  unlock = await lockTable(scratch.connectionString, 'topic_message');
});

afterAll(async () => {
  await unlock?.();
  mirror?.child.kill('SIGTERM');
  await mirror?.ended;
  await scratch?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const readState = () => readStatusOnDisk(folder);

/** What is active now. */
function activeRules(): string[] {
  const { rules: states } = readState();
  return judged.filter((name) => states[name]?.active);
}
const failing = [{ path: '/api/v1/topics/0.0.1005/messages' }];
const usual = [{ path: '/api/v1/blocks?limit=1' }];

it('clients are counted over all processes', async () => {
  const others = honest.map((address) => keepAsking(url, address, usual, { everyMs: 100 }));
  // Connections are handed out in turn: it fails at both processes.
  const flood = keepAsking(url, hostile, failing, { connections: 6 });
  await expect
    .poll(() => flood.answers.filter(({ status }) => status === 503).length, { timeout: 120_000 })
    .toBeGreaterThan(20);
  const { tick = 0 } = readState().counters;
  await vi.waitUntil(() => (readState().counters.tick ?? 0) >= tick + 12_000, { timeout: 120_000, interval: 500 });
  const { readings } = readState();
  expect(readings['api.requests']!.value).toBeGreaterThan(20);
  expect(readings['api.errorShare']!.value).toBe(0);
  expect(activeRules()).toEqual([]);
  await Promise.all(others.map(({ end }) => end()));
  for (const { answers } of others) expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // Now each of them fails, at one of the processes.
  const all = honest.map((address) => keepAsking(url, address, failing));
  await vi.waitUntil(() => activeRules().includes('api-mostly-errors'), { timeout: 120_000, interval: 500 });
  await Promise.all([...all, flood].map(({ end }) => end()));
});
