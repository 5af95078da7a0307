// What processes beside a bootstrap say of the database: while it runs, after a kill, and when it has ended.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectClient, withClient } from '../../packages/postgres/wire/connect-client.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { examine, type Finding } from '../../src/runtime/doctor/examine.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { createDatabaseProbe } from '../../src/runtime/status/signals/database-signals.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { serveHere } from '../support/program/serve-here.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

// A program is started, and a ledger imported, exported and loaded.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let root: string;
let copy: ScratchDatabase;
let server: RunningServer;
let probe: ReturnType<typeof createDatabaseProbe>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-progress-'));
  const mirror = await openLedger('small');
  await writeExport(mirror.connectionString, join(root, 'export'));
  await mirror.close();
  copy = await createScratchDatabase();
  server = await serveHere(copy.connectionString, ['--status-service', 'off', '--data-dir', root]);
  probe = createDatabaseProbe(copy.connectionString);
});

afterAll(async () => {
  await probe.close();
  await server.close();
  await copy.close();
  rmSync(root, { recursive: true, force: true });
});

type Seen = { ready: number; reason: string | undefined; filling: number | undefined; told: string; doctor: Finding };

async function look(): Promise<Seen> {
  const answer = await fetch(`${server.url}/health/readiness`);
  const { reason } = (await answer.json()) as { reason?: string };
  const { values, facts } = await probe.probe(null);
  const [doctor] = await findingsOf(copy);
  return {
    ready: answer.status,
    reason,
    filling: values['database.filling'],
    told: facts['database.extent']!,
    doctor: doctor!,
  };
}

async function findingsOf({ connectionString }: ScratchDatabase): Promise<Finding[]> {
  const settings = loadSettings('doctor', ['--data-dir', root], { DATABASE_URL: connectionString });
  const findings: Finding[] = [];
  for await (const finding of examine(settings, ['database'])) findings.push(finding);
  return findings;
}

async function readMetrics(): Promise<Record<string, number>> {
  const answer = await fetch(`${server.url}/metrics`);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const found = text.matchAll(/^ledger_mirror_bootstrap_(\S+) (\S+)$/gm);
  return Object.fromEntries([...found].map(([, name, value]) => [name, Number(value)]));
}

/** Its load waits until the transaction ends. */
async function holdFile(name: string): Promise<pg.Client> {
  const client = await connectClient(copy.connectionString, 'test');
  await client.query(`begin; insert into bootstrap_file (name) values ('${name}')`);
  return client;
}

test('a database of the stream alone says nothing of it', async () => {
  expect(await readMetrics()).toEqual({});
  expect(await look()).toMatchObject({ ready: 503, reason: undefined, filling: 0, told: '', doctor: { ok: true } });
});

test('a bootstrap that runs, and is killed, is told by servers, status, doctor and metrics', async () => {
  const holder = await holdFile('topic');
  const bootstrap = runMirror(['bootstrap', '--full', '--from', join(root, 'export'), '--data-dir', root], {
    env: { DATABASE_URL: copy.connectionString },
  });
  await expect
    .poll(async () => (await readMetrics()).files_loaded, { timeout: 60_000, interval: 300 })
    .toBeGreaterThan(60);
  const running = await look();
  expect(running).toMatchObject({ ready: 503, filling: 1, doctor: { ok: true } });
  expect(running.told).toMatch(
    /^The database is incomplete\. It is being filled from the export in a folder \(version 0\.2\.0, --full\): (\d+) of \d+ files and [\d,]+ of [\d,]+ rows are loaded, [\d,]+ rows\/s.*\.$/,
  );
  expect(running.reason).toMatch(/^The database is incomplete\. It is being filled from the export in a folder /);
  expect(running.doctor.found).toContain(`It is being filled from the export ${root}/export (version 0.2.0, --full): `);
  const metrics = await readMetrics();
  expect(metrics).toMatchObject({
    'state{state="running"}': 1,
    'state{state="interrupted"}': 0,
    'state{state="loaded"}': 0,
    indexes_done_ratio: 0,
  });
  expect(metrics.rows_loaded).toBeGreaterThan(1000);
  expect(metrics.rows_loaded).toBeLessThan(metrics.rows!);
  const missing = await fetch(`${server.url}/api/v1/accounts/0.0.987654321`);
  expect([missing.status, await missing.text()]).toEqual([
    404,
    expect.stringContaining('The database is incomplete. It is being filled from the export in a folder'),
  ]);

  bootstrap.child.kill('SIGKILL');
  expect(await bootstrap.ended).toBe(null);
  await holder.end();
  await withClient(copy.connectionString, 'test', (client) =>
    client.query(`update bootstrap_progress set seen_at = seen_at - interval '16 s'`),
  );
  const killed = await look();
  expect(killed).toMatchObject({ ready: 503, filling: 2, doctor: { ok: false } });
  expect(killed.doctor.found).toMatch(
    /^Filling it from the export \S+ \(version 0\.2\.0, --full\) was interrupted at \d{4}-\S+Z: \d+ of \d+ files and .* are loaded\. The same "bootstrap" goes on\.$/,
  );
  expect(killed.told).toMatch(
    /^The database is incomplete\. Filling it from the export in a folder .* was interrupted/,
  );
  expect(await readMetrics()).toMatchObject({ 'state{state="interrupted"}': 1, rows_per_second: 0 });
});

test('the status page and the status command of a server show it', async () => {
  const folder = join(root, 'status');
  const mirror = runMirror(['serve', '--data-dir', folder, '--port', '0'], {
    env: { DATABASE_URL: copy.connectionString },
  });
  const [, url] = await mirror.says(/Answering on (\S+)/);
  expect(mirror.output()).toMatch(/The database is incomplete\. .* Until then this server is not ready\./);
  await expect
    .poll(async () => (await fetch(`${url}/status`)).text(), { timeout: 60_000, interval: 500 })
    .toMatch(/Filling it from the export in a folder .* was interrupted at .* files and .* rows are loaded\./);
  await expect
    .poll(
      async () => {
        const status = runMirror(['status', '--data-dir', folder]);
        await status.ended;
        return status.output();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toMatch(/ major_outage +Database\n +Where the ledger is kept\. The database is incomplete\. Filling it from /);
  mirror.child.kill('SIGTERM');
  expect(await mirror.ended).toBe(0);
});

test('one that goes on counts what was loaded before, says its step, and what came of it', async () => {
  const { promise: checked, resolve: endCheck } = Promise.withResolvers<void>();
  const loading = loadFrom(join(root, 'export'), copy.connectionString, {
    async checkStream() {
      await checked;
      return [{ name: 'signed stream', holds: null, sentence: 'Nothing is compared.' }];
    },
  });
  await expect
    .poll(async () => (await look()).told, { timeout: 60_000, interval: 300 })
    .toMatch(
      /: (\d+) of \1 files and ([\d,]+) of \2 rows are loaded, indexes are made; statistics and checks are left\.$/,
    );
  expect(await look()).toMatchObject({ ready: 503, filling: 1 });
  expect(await readMetrics()).toMatchObject({ indexes_done_ratio: 1 });
  endCheck();
  await loading;
  const loaded = await look();
  expect(loaded).toMatchObject({ ready: 200, reason: undefined, filling: 0, doctor: { ok: true } });
  expect(loaded.told).toMatch(
    /^It was filled from the export in a folder \(version 0\.2\.0, --full\); that ended at \d{4}-\S+Z\. Checks of its rows that hold: .*hbar supply, .*\. Checks that could not be made: signed stream\.$/,
  );
  expect(await readMetrics()).toMatchObject({ 'state{state="loaded"}': 1, failed_checks: 0 });
});

test('one that fails says why, to operators', async () => {
  const other = await createScratchDatabase();
  await expect(
    loadFrom(join(root, 'export'), other.connectionString, {
      async checkStream() {
        throw new Error('The source is away.');
      },
    }),
  ).rejects.toThrow('The source is away.');
  expect(await findingsOf(other)).toMatchObject([
    { ok: false, found: expect.stringContaining('are loaded. The source is away. The same "bootstrap" goes on.') },
  ]);
  await other.close();
});
