// Several `serve` on one data folder share one status service: it says when one of them is missing, stands in its
// place, and outlives whichever of them started it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import { upsertMirroredNetwork } from '../../packages/store/write/upsert-mirrored-network.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { readStatusAddress, statusFolderOf } from '../../src/runtime/status/status-service-file.ts';
import { readSummary, statusOf, waitForSummary } from '../support/program/read-status.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const rules = {
  timings: { tickMs: 200, staleMs: 20_000, outageOpensMs: 500, selfTestMs: 3_600_000 },
  levels: Object.fromEntries(
    Object.keys(defaultStatusRules.levels).map((name) => [name, { holdMs: 200, leaveMs: 200 }]),
  ),
};

let folder: string;
let database: ScratchDatabase;
const mirrors: RunningMirror[] = [];

type Serve = { mirror: RunningMirror; url: string };

async function serve(port = '0'): Promise<Serve> {
  const flags = [`--port=${port}`, `--data-dir=${folder}`, `--status-rules=${join(folder, 'rules.json')}`];
  const env = { DATABASE_URL: database.connectionString, LEDGER_MIRROR_STATUS_OUTLIVE: '60' };
  const mirror = runMirror(['serve', ...flags], { env });
  mirrors.push(mirror);
  const [, url] = await mirror.says(/Answering on (http:\S+)/);
  return { mirror, url: url! };
}

const statusPid = (): number => readStatusAddress(statusFolderOf(folder))!.pid;
const apiOf = (url: string, wanted: string) =>
  waitForSummary(url, `queries shown as ${wanted}`, (summary) => statusOf(summary, 'REST API') === wanted);

async function kill({ mirror }: Serve): Promise<void> {
  mirror.child.kill('SIGKILL');
  await mirror.ended;
}

describe('two of them', () => {
  let first: Serve;
  let second: Serve;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'several-serves-'));
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
    // Without a block a query service is not ready.
    database = await openLedger('small');
    first = await serve();
    await apiOf(first.url, 'operational');
    second = await serve();
    await apiOf(second.url, 'operational');
  });
  afterAll(async () => {
    for (const { child, ended } of mirrors) {
      child.kill('SIGTERM');
      await ended;
    }
    await database?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('are answered for by the same service', async () => {
    const [one, other] = await Promise.all([readSummary(first.url), readSummary(second.url)]);
    expect(one.components).toEqual(other.components);
    // No import was ever heard of, and the blocks are old.
    for (const name of ['Stream continuity', 'Network Uptime'])
      expect(statusOf(one, name)).toBe('degraded_performance');
    expect(first.mirror.output() + second.mirror.output()).not.toContain('Replacing');
  });

  it('take over the name of the network once an import has stored it', async () => {
    const before = await readSummary(first.url);
    expect(before.page.name).toBe('Ledger Mirror – Other Network');
    expect(before.page.url).toMatch(/^http:\/\/[^/]+:\d+\/status$/);
    const db = openDatabase({ connectionString: database.connectionString, maxConnections: 1 });
    await upsertMirroredNetwork(db, { name: 'testnet', chainId: null });
    await db.close();
    const isNamed = ({ page }: typeof before) => page.name === 'Ledger Mirror – Hedera Testnet';
    const after = await waitForSummary(second.url, 'the network by its name', isNamed);
    expect(after.page.id).toBe(before.page.id);
    expect(after.components.map(({ id }) => id)).toEqual(before.components.map(({ id }) => id));
    expect(after.components.filter(({ name }) => name.includes('Other'))).toEqual([]);
    expect(after.components.map(({ name }) => name)).toContainEqual(
      expect.stringMatching(/^Hedera Testnet .*\| Network Uptime$/),
    );
  });

  it('the one that started it is killed: it goes on, says that one of two is missing, and answers in its place', async () => {
    const pid = statusPid();
    await kill(first);
    const summary = await apiOf(second.url, 'partial_outage');
    expect(summary.components.length).toBeGreaterThan(5);
    // A report that comes late on a busy machine counts the second as missing, too, until the next one.
    const page = async () => (await fetch(`${second.url}/status`)).text();
    await expect.poll(page).toContain('1 of 2 query services does not answer');
    await apiOf(first.url, 'partial_outage');
    expect((await fetch(`${first.url}/api/v1/tokens/0.0.1`)).status).toBe(503);
    expect(statusPid()).toBe(pid);
  });

  it('a new one gets the port back, and the service stays', async () => {
    const pid = statusPid();
    first = await serve(new URL(first.url).port);
    await apiOf(first.url, 'operational');
    expect((await fetch(`${first.url}/health/liveness`)).status).toBe(200);
    expect(statusPid()).toBe(pid);
  });

  it('one that ends in order is not missed', async () => {
    first.mirror.child.kill('SIGTERM');
    expect(await first.mirror.ended).toBe(0);
    // More than three reports and what a rule holds back: then it would be missed.
    for (const until = Date.now() + 1500; Date.now() < until; await sleep(100)) {
      expect(statusOf(await readSummary(second.url), 'REST API')).toBe('operational');
    }
  });

  it('the last one is killed: the service says so in its place', async () => {
    await kill(second);
    expect((await apiOf(second.url, 'major_outage')).status.indicator).not.toBe('none');
    expect((await fetch(`${second.url}/api/v1/tokens/0.0.1`)).status).toBe(503);
    second = await serve(new URL(second.url).port);
    await apiOf(second.url, 'operational');
  });
});
