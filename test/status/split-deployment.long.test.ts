// `import` and `serve` as separate processes: what the status says when the importer is killed, and when it stops at a
// file that cannot be proved. The serving process learns of both only through the database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type Summary, statusOf, waitForSummary } from '../support/program/read-status.ts';
import { type RelayedNetwork, relayNetwork } from '../support/program/relayed-network.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

/**
 * Rules of the query service keep their times: on a busy machine its answers may be late for a moment, which is not
 * asked here.
 */
const hastened = Object.keys(defaultStatusRules.levels).filter((name) => !name.startsWith('api-'));
const rules = {
  timings: { tickMs: 500, staleMs: 5000, outageOpensMs: 1000, resolvesAfterMs: 1000, selfTestMs: 3_600_000 },
  levels: {
    ...Object.fromEntries(hastened.map((name) => [name, { holdMs: 500, leaveMs: 500 }])),
    'import-absent': { enterAt: 15_000, exitBelow: 10_000, leaveMs: 500 },
  },
};

let folder: string;
let database: ScratchDatabase;
let network: RelayedNetwork;
let server: RunningMirror;
let importer: RunningMirror;
let url: string;

function startImporter(): void {
  const flags = [`--source=${network.sourcePath}`, `--address-book=${network.addressBookPath}`];
  importer = runMirror(['import', ...flags, `--data-dir=${join(folder, 'importer')}`], {
    env: { DATABASE_URL: database.connectionString },
  });
}

const waitFor = (what: string, isWanted: (summary: Summary) => boolean): Promise<Summary> =>
  waitForSummary(url, what, isWanted);
const isOutage = (status: string): boolean => status.endsWith('outage');

/** Kills it. Its last heartbeat is made older, which spares the wait until it counts as dead. */
async function killImporter(): Promise<void> {
  importer.child.kill('SIGKILL');
  await importer.ended;
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  const { rowCount } = await client.query(`update importer_state set seen_at = seen_at - interval '16 s'`);
  await client.end();
  expect(rowCount).toBe(1);
}

describe('import and serve apart', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'split-deployment-'));
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
    database = await createScratchDatabase();
    network = await relayNetwork(join(folder, 'network'), 1000);
    startImporter();
    const flags = ['--port=0', `--data-dir=${folder}`, `--status-rules=${join(folder, 'rules.json')}`];
    server = runMirror(['serve', ...flags], { env: { DATABASE_URL: database.connectionString } });
    [, url] = (await server.says(/Answering on (http:\S+)/)) as unknown as [string, string];
  });
  afterAll(async () => {
    for (const { child, ended } of [server, importer].filter(Boolean)) {
      child.kill('SIGTERM');
      await ended;
    }
    await network?.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('all is well while the importer lives', async () => {
    const { components } = await waitFor('all well', (each) => each.status.indicator === 'none');
    expect(components.map(({ name, status }) => [name, status])).toEqual(
      components.map(({ name }) => [name, 'operational']),
    );
    expect(components.length).toBeGreaterThan(5);
  });

  it('a killed importer is the outage of our import, and never of the network', async () => {
    await killImporter();
    const seen: string[] = [];
    const summary = await waitFor('an outage of the import, and nothing known of the network', (each) => {
      seen.push(statusOf(each, 'Network Uptime'));
      return (
        statusOf(each, 'stream import') === 'major_outage' &&
        each.incidents.length === 1 &&
        statusOf(each, 'Network Uptime') === 'degraded_performance'
      );
    });
    expect(seen.filter(isOutage)).toEqual([]);
    expect(summary.incidents[0]!.name).toBe('The import does not run');
    expect(summary.incidents[0]!.incident_updates.at(-1)!.body).toMatch(/has not been heard of for \d+ s/);
    expect(statusOf(summary, 'Stream continuity')).not.toBe('operational');
    startImporter();
    await waitFor('all well', ({ status, incidents }) => status.indicator === 'none' && incidents.length === 0);
  });

  it('a broken chain is never green, also when the importer is gone', async () => {
    network.isTampering = true;
    const isBroken = (summary: Summary): boolean => statusOf(summary, 'Stream continuity') === 'major_outage';
    await waitFor('a broken chain', (each) => isBroken(each) && each.incidents.length === 1);
    await killImporter();
    const seen = new Set<string>();
    await waitFor('reports that are stale', (each) => {
      seen.add(statusOf(each, 'Stream continuity'));
      return statusOf(each, 'Network Uptime') === 'degraded_performance';
    });
    expect([...seen]).toEqual(['major_outage']);
    network.isTampering = false;
    network.repair();
    startImporter();
    await waitFor('all well', ({ status, incidents }) => status.indicator === 'none' && incidents.length === 0);
  });
});
