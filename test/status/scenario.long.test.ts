// The whole product while everything that can break is broken, one thing after the other: a PostgreSQL that stops, a
// stream that stalls, slow answers, checks of contracts that are killed, a file that is not what was signed, and at
// last the mirror itself. The rules are the product's with shorter times, so that minutes take seconds.
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { openStatusJournal } from '../../packages/status/status-journal.ts';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import type { StatusState } from '../../packages/status/status-state.ts';
import {
  readIncidents,
  readSummary,
  type Summary,
  statusOf,
  waitForSummary,
  watchSummary,
} from '../support/program/read-status.ts';
import { type RelayedNetwork, relayNetwork } from '../support/program/relayed-network.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const levels = Object.fromEntries(
  Object.keys(defaultStatusRules.levels).map((name) => [name, { holdMs: 300, leaveMs: 300 }]),
);
/** What a busy test machine does by itself must not count. */
const calm = { enterAt: 600_000, exitBelow: 500_000 };
const rules = {
  timings: {
    tickMs: 200,
    // On a busy machine a mirror takes long to start: what it said before must not be forgotten meanwhile.
    staleMs: 30_000,
    outageOpensMs: 600,
    degradedOpensMs: 1000,
    resolvesAfterMs: 1500,
    // Each trouble has to be a separate incident here.
    reopensWithinMs: 0,
    // Compiling is expensive on a busy machine.
    selfTestMs: 3000,
  },
  levels: {
    ...levels,
    'api-slow': { ...levels['api-slow'], enterAt: 1000, exitBelow: 500 },
    'network-silent': { ...levels['network-silent'], enterAt: 5000, exitBelow: 3000 },
    'network-long-silent': { ...levels['network-long-silent'], ...calm },
    'import-silent': { ...levels['import-silent'], enterAt: 5000, exitBelow: 3000 },
    'import-long-silent': { ...levels['import-long-silent'], ...calm },
    'import-behind': { ...levels['import-behind'], ...calm },
    'import-slow': { ...levels['import-slow'], ...calm },
    'database-slow': { ...levels['database-slow'], ...calm },
    'verification-slow': { ...levels['verification-slow'], ...calm },
  },
};

let folder: string;
let postgres: EmbeddedPostgres;
let network: RelayedNetwork;
let status: RunningMirror;
let mirror: RunningMirror;
/** The status service's own port. */
let statusUrl: string;
/** The mirror's port. */
let url: string;

const startPostgres = (): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataFolder: join(folder, 'database'), durable: false });

async function startMirror(port: string): Promise<void> {
  mirror = runMirror(
    [
      'start',
      `--port=${port}`,
      `--data-dir=${join(folder, 'data')}`,
      `--source=${network.sourcePath}`,
      `--address-book=${network.addressBookPath}`,
      `--status-rules=${join(folder, 'rules.json')}`,
      '--network=testnet',
    ],
    { env: { DATABASE_URL: postgres.connectionString, LEDGER_MIRROR_STATUS_OUTLIVE: '120' } },
  );
  [, url] = (await mirror.says(/Answering on (http:\S+?)\/\n/)) as unknown as [string, string];
}

async function startStatus(): Promise<void> {
  status = runMirror([
    'status',
    'serve',
    `--data-dir=${join(folder, 'data')}`,
    `--status-rules=${join(folder, 'rules.json')}`,
    '--network=testnet',
    '--status-port=0',
  ]);
  [, statusUrl] = (await status.says(/Status of Hedera Testnet: (http:\S+)\/status/)) as unknown as [string, string];
}

const isWell = ({ status: { indicator }, incidents }: Summary): boolean =>
  indicator === 'none' && incidents.length === 0;
const waitUntilWell = (): Promise<Summary> => waitForSummary(statusUrl, 'all well and no open incident', isWell);

/** The one incident that came since, from its opening to its end. */
async function expectOneIncident(before: number, story: { name: RegExp; components: string[] }): Promise<void> {
  await waitUntilWell();
  const incidents = await readIncidents(statusUrl);
  const [incident, ...others] = incidents.slice(0, incidents.length - before);
  expect(others.map(({ name, incident_updates: [update] }) => `${name}: ${update!.body}`)).toEqual([]);
  expect(incident!.name).toMatch(story.name);
  const touched = incident!.components.map(({ name }) => name);
  for (const component of story.components) expect(touched.join()).toContain(component);
  const updates = incident!.incident_updates.map(({ status: word }) => word).toReversed();
  expect(updates[0]).toBe('investigating');
  expect(updates.slice(-2)).toEqual(['monitoring', 'resolved']);
}

/** Says something as an operator on the machine does. */
async function speak(...words: string[]): Promise<void> {
  const command = runMirror(['status', ...words, `--data-dir=${join(folder, 'data')}`, '--by=kim']);
  if ((await command.ended) !== 0) throw new Error(command.output());
}

function hourFromNow(): string[] {
  const [from, until] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  return [`--from=${from}`, `--until=${until}`];
}

const countIncidents = async (): Promise<number> => (await readIncidents(statusUrl)).length;

/** What is on disk, read from a copy. */
function readStoredState(): StatusState {
  const copy = join(folder, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(folder, 'data', 'status'), copy, { recursive: true });
  const journal = openStatusJournal(copy);
  journal.close();
  return journal.state;
}

async function waitUntilStored(isWanted: (state: StatusState) => boolean): Promise<void> {
  for (const until = Date.now() + 240_000; Date.now() < until; await sleep(200))
    if (isWanted(readStoredState())) return;
  throw new Error('What was waited for was never stored.');
}

function secondsOf({ days }: StatusState): Record<string, number> {
  return Object.fromEntries(
    Object.entries(days).map(([key, { seconds }]) => [
      key,
      Object.values(seconds).reduce((sum, count) => sum + count, 0),
    ]),
  );
}

describe.skipIf(process.platform !== 'linux')('while one thing after the other breaks', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'status-scenario-'));
    // As root PostgreSQL runs as another user, who must come through.
    chmodSync(folder, 0o711);
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
    [postgres, network] = await Promise.all([startPostgres(), relayNetwork(join(folder, 'network'), 800)]);
    await startStatus();
    await startMirror('0');
    watch = watchSummary(statusUrl);
  });
  afterAll(async () => {
    status?.child.kill('SIGTERM');
    mirror?.child.kill('SIGTERM');
    await Promise.all([status?.ended, mirror?.ended]);
    await network?.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  let watch: ReturnType<typeof watchSummary>;

  it('all is well once the first signals are in', async () => {
    const summary = await waitForSummary(
      statusUrl,
      'all well, verification included',
      (each) => isWell(each) && statusOf(each, 'Contract verification') === 'operational',
    );
    expect(summary.status).toEqual({ indicator: 'none', description: 'All Systems Operational' });
    expect(summary.components.map(({ name }) => name)).toEqual([
      'Ledger Mirror',
      'Mirror Node REST API Testnet',
      'Record stream import',
      'Stream continuity',
      'Database',
      'Contract verification',
      'Hedera Testnet (v0.75.1) | Network Uptime',
    ]);
    expect(await readSummary(url)).toEqual(await readSummary(statusUrl));
  });

  it('PostgreSQL is stopped', async () => {
    const before = await countIncidents();
    const { connectionString } = postgres;
    await postgres.stop();
    await waitForSummary(
      statusUrl,
      'database and queries in a major outage, and one incident',
      (each) =>
        statusOf(each, 'Database') === 'major_outage' &&
        statusOf(each, 'REST API') === 'major_outage' &&
        each.incidents.length === 1 &&
        each.incidents[0]!.components.length > 1,
    );
    postgres = await startPostgres();
    expect(postgres.connectionString).toBe(connectionString);
    await expectOneIncident(before, {
      name: /database does not answer|query service does not answer/,
      components: ['Database', 'REST API'],
    });
  });

  it('the stream stalls', async () => {
    const before = await countIncidents();
    network.isHeld = true;
    const summary = await waitForSummary(
      statusUrl,
      'network and import in a partial outage, and one incident',
      (each) =>
        statusOf(each, 'Network Uptime') === 'partial_outage' &&
        statusOf(each, 'Record stream import') === 'partial_outage' &&
        each.incidents.length === 1 &&
        each.incidents[0]!.components.length === 2,
    );
    expect(statusOf(summary, 'Database')).toBe('operational');
    expect(statusOf(summary, 'REST API')).toBe('operational');
    network.isHeld = false;
    await expectOneIncident(before, { name: /no new (files|transactions)/i, components: ['Network Uptime', 'import'] });
  });

  it('answers are slowed', async () => {
    const before = await countIncidents();
    const client = new pg.Client({ connectionString: postgres.connectionString });
    await client.connect();
    let isSlow = true;
    const slowing = (async () => {
      while (isSlow) {
        await client.query('begin; lock table token in access exclusive mode');
        const answers = [1001, 1002, 1003].map((id) =>
          fetch(`${url}/api/v1/tokens/0.0.${id}`).then((each) => each.text()),
        );
        // Longer than what counts as slow.
        await sleep(1300);
        await client.query('commit');
        await Promise.all(answers);
      }
      await client.end();
    })();
    const summary = await waitForSummary(
      statusUrl,
      'degraded queries, and one incident',
      (each) => statusOf(each, 'REST API') === 'degraded_performance' && each.incidents.length === 1,
    );
    expect(summary.incidents[0]!.impact).toBe('minor');
    isSlow = false;
    await slowing;
    await expectOneIncident(before, { name: /Slow answers/, components: ['REST API'] });
  });

  it('checks of contracts are killed', async () => {
    const before = await countIncidents();
    let isKilling = true;
    const killing = (async () => {
      for (; isKilling; await sleep(100)) killChecks(mirror.child.pid!);
    })();
    const summary = await waitForSummary(
      statusUrl,
      'verification in a major outage, and one incident',
      (each) => statusOf(each, 'Contract verification') === 'major_outage' && each.incidents.length === 1,
    );
    expect(statusOf(summary, 'REST API')).toBe('operational');
    isKilling = false;
    await killing;
    await expectOneIncident(before, { name: /cannot be verified/, components: ['verification'] });
  });

  it('a file is not what the network signed; the mirror is started again once it is', async () => {
    const before = await countIncidents();
    network.isTampering = true;
    await waitForSummary(
      statusUrl,
      'import and continuity in a major outage, and one incident',
      (each) =>
        statusOf(each, 'Record stream import') === 'major_outage' &&
        statusOf(each, 'Stream continuity') === 'major_outage' &&
        each.incidents.length === 1 &&
        each.incidents[0]!.components.length >= 2,
    );
    const [incident] = (await readSummary(statusUrl)).incidents;
    network.isTampering = false;
    network.repair();
    // A restart that was announced opens no further incident.
    await speak(
      'maintenance',
      'schedule',
      'Restart',
      '--body=With the file put right.',
      '--component=api',
      '--state=in_progress',
      ...hourFromNow(),
    );
    const { port } = new URL(url);
    mirror.child.kill('SIGTERM');
    expect(await mirror.ended).toBe(0);
    await startMirror(port);
    await waitForSummary(
      statusUrl,
      'no unready query service',
      (each) => statusOf(each, 'Record stream import') === 'operational',
    );
    await waitUntilStored(({ components }) => components.api!.measured === 'operational');
    const [maintenance] = Object.values(readStoredState().incidents).filter(({ kind }) => kind === 'maintenance');
    await speak('maintenance', 'complete', maintenance!.id);
    await expectOneIncident(before, { name: /cannot be proved|has stopped/, components: ['import', 'continuity'] });
    expect((await readIncidents(statusUrl))[0]!.id).toBe(incident!.id);
  });

  it('the mirror is killed, and everything else is dead as well', async () => {
    network.isHeld = true;
    mirror.child.kill('SIGKILL');
    await mirror.ended;
    await postgres.stop();
    await waitForSummary(
      statusUrl,
      'a major outage of the queries, and nothing operational',
      (each) =>
        statusOf(each, 'REST API') === 'major_outage' &&
        each.components.every((component) => component.status !== 'operational'),
    );
    postgres = await startPostgres();
    network.isHeld = false;
    await startMirror(new URL(url).port);
    expect((await waitUntilWell()).components.every(({ status }) => status === 'operational')).toBe(true);
  });

  it('the summary answered 200 all the while', async () => {
    const { answers, failures } = await watch.end();
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(50);
  });

  it('the status service is killed: the mirror starts one, and nothing is lost', async () => {
    const before = await readIncidents(statusUrl);
    expect(before.length).toBeGreaterThanOrEqual(6);
    status.child.kill('SIGKILL');
    await status.ended;
    statusUrl = url;
    const stored = readStoredState();
    // Through the mirror's port: it waits until there is a status service again.
    expect(await readIncidents(url)).toEqual(before);
    await waitForSummary(url, 'all well', isWell);
    const after = readStoredState();
    for (const id of Object.keys(stored.incidents)) {
      expect(after.incidents[id]!.updates.slice(-stored.incidents[id]!.updates.length)).toEqual(
        stored.incidents[id]!.updates,
      );
    }
    const [secondsBefore, secondsAfter] = [secondsOf(stored), secondsOf(after)];
    expect(Object.keys(secondsBefore).length).toBeGreaterThan(0);
    for (const [day, seconds] of Object.entries(secondsBefore))
      expect(secondsAfter[day], day).toBeGreaterThanOrEqual(seconds);
  });

  it('a mirror that is killed leaves its port to its status service, and gets it back', async () => {
    const before = await readIncidents(url);
    mirror.child.kill('SIGKILL');
    await mirror.ended;
    await waitForSummary(url, 'a major outage of the queries', (each) => statusOf(each, 'REST API') === 'major_outage');
    const query = await fetch(`${url}/api/v1/tokens/0.0.1001`);
    expect(query.status).toBe(503);
    expect(query.headers.get('retry-after')).toBe('10');
    expect(await query.json()).toEqual({ _status: { messages: [{ message: 'The query service is not running' }] } });
    await startMirror(new URL(url).port);
    await waitUntilWell();
    const after = await readIncidents(url);
    expect(after.slice(-before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await fetch(`${url}/health/readiness`)).status).toBe(200);
  });
});

/** Ends every process that checks a contract for this mirror, also below a wrapper. */
function killChecks(ancestor: number): void {
  const parents = new Map<number, number>();
  const checks: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('check-process')) checks.push(Number(name));
    } catch {
      // It has ended meanwhile.
    }
  }
  for (const check of checks) {
    for (let pid: number | undefined = check; pid !== undefined; pid = parents.get(pid)) {
      if (pid === ancestor) process.kill(check, 'SIGKILL');
    }
  }
}
