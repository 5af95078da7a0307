// One status service on a separate machine, that two `serve` with separate data folders and an `import` report to, over
// TLS and with a token: what it says when one of them is killed, and that nothing says operational of what it cannot
// hear.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { makeCertificate } from '../../packages/test-support/tls/make-certificate.ts';
import { type Summary, statusOf } from '../support/program/read-status.ts';
import { type RelayedNetwork, relayNetwork } from '../support/program/relayed-network.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const token = 'a-token-that-nobody-else-has';
const rules = {
  timings: { tickMs: 500, staleMs: 20_000, outageOpensMs: 1000, resolvesAfterMs: 1000, selfTestMs: 3_600_000 },
  levels: {
    ...Object.fromEntries(Object.keys(defaultStatusRules.levels).map((name) => [name, { holdMs: 500, leaveMs: 500 }])),
    'api-lost': { leaveMs: 200 },
    'api-partly-lost': { leaveMs: 200 },
    'import-lost': { leaveMs: 200 },
    'import-absent': { enterAt: 600_000, exitBelow: 500_000 },
  },
};

let folder: string;
let database: ScratchDatabase;
let network: RelayedNetwork;
let statusUrl: string;
const mirrors: RunningMirror[] = [];

function run(args: string[], name: string, env: Record<string, string> = {}): RunningMirror {
  const shared = { LEDGER_MIRROR_NETWORK: 'testnet', LEDGER_MIRROR_STATUS_RULES: join(folder, 'rules.json') };
  const mirror = runMirror([...args, `--data-dir=${join(folder, name)}`], { env: { ...shared, ...env } });
  mirrors.push(mirror);
  return mirror;
}

const reporting = (): Record<string, string> => ({
  DATABASE_URL: database.connectionString,
  LEDGER_MIRROR_STATUS_REPORT_TO: statusUrl,
  LEDGER_MIRROR_STATUS_REPORT_TOKEN: token,
  LEDGER_MIRROR_STATUS_REPORT_CA: join(folder, 'cert.pem'),
});

/** As operators see it on the machine of the service. */
async function ask(...words: string[]): Promise<{ code: number | null; text: string }> {
  const command = run(['status', ...words], 'status');
  const code = await command.ended;
  return { code, text: command.output() };
}

/** Until its first report nobody knows of it. */
async function untilHeard(name: string): Promise<void> {
  while (!(await ask('reporter', 'list')).text.includes(`mirrors/${name} (serve) heard`));
}

type Serve = { mirror: RunningMirror; url: string };

async function serve(name: string, env: Record<string, string> = {}): Promise<Serve> {
  const mirror = run(['serve', '--port=0', `--status-report-name=${name}`], name, { ...reporting(), ...env });
  const [, url] = await mirror.says(/Answering on (http:\S+)/);
  return { mirror, url: url! };
}

function startImporter(): RunningMirror {
  const flags = [`--source=${network.sourcePath}`, `--address-book=${network.addressBookPath}`];
  return run(['import', ...flags, '--status-report-name=importer'], 'importer', reporting());
}

/** Through a `serve`, which knows the certificate. */
async function summaryAt(url: string): Promise<Summary> {
  const answer = await fetch(`${url}/api/v2/summary.json`);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Summary;
}

/** For each condition. */
const waitMs = 120_000;

async function until(url: string, what: string, isWanted: (summary: Summary) => boolean): Promise<Summary> {
  let last: unknown;
  for (const end = Date.now() + waitMs; Date.now() < end; await sleep(50)) {
    const summary = await summaryAt(url).catch((error) => {
      last = error;
      return null;
    });
    last = summary ?? last;
    if (summary && isWanted(summary)) return summary;
  }
  const output = mirrors.map((mirror) => mirror.output()).join('\n---\n');
  throw new Error(`never ${what}: ${JSON.stringify(last) ?? last}\n${output}`);
}

const isWell = ({ status }: Summary): boolean => status.indicator === 'none';
const apiIs = (wanted: string) => (summary: Summary) => statusOf(summary, 'REST API') === wanted;

async function kill({ child, ended }: RunningMirror): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

describe('one status service for all', () => {
  let first: Serve;
  let second: Serve;
  let importer: RunningMirror;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shared-service-'));
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
    makeCertificate(folder);
    database = await createScratchDatabase();
    network = await relayNetwork(join(folder, 'network'), 1000);
    const tls = [`--status-tls-cert=${join(folder, 'cert.pem')}`, `--status-tls-key=${join(folder, 'key.pem')}`];
    const status = run(['status', 'serve', '--status-port=0', ...tls], 'status', {
      LEDGER_MIRROR_STATUS_REPORTERS: `mirrors:${token}`,
    });
    [, statusUrl] = (await status.says(/Status of Hedera Testnet: (https:\S+)\/status/)) as unknown as [string, string];
    importer = startImporter();
    first = await serve('first');
    second = await serve('second');
  });
  afterAll(async () => {
    for (const { child, ended } of mirrors.toReversed()) {
      child.kill('SIGTERM');
      await ended;
    }
    await network?.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('all show the same page', async () => {
    const summary = await until(first.url, 'all well', isWell);
    expect((await summaryAt(second.url)).components).toEqual(summary.components);
    const page = await fetch(`${second.url}/status`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('All Systems Operational')]);
    const output = mirrors.map((mirror) => mirror.output()).join('');
    expect(output).not.toContain('status pages differ');
  });

  it('one with a wrong token says so, answers queries, and changes nothing', async () => {
    const wrong = await serve('wrong', { LEDGER_MIRROR_STATUS_REPORT_TOKEN: 'a-token-that-is-not-right' });
    await wrong.mirror.says(/does not accept reports: it answers 401/);
    await kill(wrong.mirror);
    expect(isWell(await summaryAt(first.url))).toBe(true);
  });

  it('one with its own service: the logs say that the pages differ', async () => {
    const alone = run(['serve', '--port=0'], 'alone', { DATABASE_URL: database.connectionString });
    await alone.says(/report to 2 status services, so that their status pages differ/);
    await first.mirror.says(/report to 2 status services, so that their status pages differ/);
    alone.child.kill('SIGTERM');
    await alone.ended;
    await first.mirror.says(/All processes that use this database show the same status page/);
    expect(first.mirror.output().match(/so that their status pages differ/g)).toHaveLength(1);
  });

  it('one of two is killed: a partial outage', async () => {
    await kill(second.mirror);
    await until(first.url, 'one of two', apiIs('partial_outage'));
    expect(await (await fetch(`${first.url}/status`)).text()).toContain('1 of 2 query services does not answer');
    second = await serve('second');
    await until(first.url, 'all well', isWell);
  });

  it('an import that is killed is missed at once, whatever its heartbeat says', async () => {
    await kill(importer);
    // No other rule could say so within the time: its heartbeat would be missed after ten minutes.
    await until(first.url, 'no import', (summary) => statusOf(summary, 'stream import') === 'major_outage');
    importer = startImporter();
    await until(first.url, 'all well', isWell);
  });

  it('one that ends in order is not missed', async () => {
    second.mirror.child.kill('SIGTERM');
    expect(await second.mirror.ended).toBe(0);
    for (const end = Date.now() + 2000; Date.now() < end; await sleep(100)) {
      expect(statusOf(await summaryAt(first.url), 'REST API')).toBe('operational');
    }
  });

  it('one that is stopped and says nothing is lost after three reports', async () => {
    second = await serve('second');
    await untilHeard('second');
    second.mirror.child.kill('SIGSTOP');
    const { components } = await until(first.url, 'one of two', apiIs('partial_outage'));
    expect(components.map(({ status }) => status)).not.toContain('major_outage');
    second.mirror.child.kill('SIGCONT');
    await until(first.url, 'all well', isWell);
  });

  it('all are killed: the service never says operational again, until one is back', async () => {
    // A report that is late on a busy machine counts as a short outage.
    await expect.poll(async () => (await ask()).text, { timeout: 20_000 }).toContain('All Systems Operational');
    await Promise.all([kill(first.mirror), kill(second.mirror)]);
    for (let look = 0; look < 3; look += 1) {
      const { code, text } = await ask();
      expect([code, text]).toEqual([1, expect.stringMatching(/major_outage +Mirror Node REST API Testnet/)]);
    }
    first = await serve('first');
    await until(first.url, 'one of two', apiIs('partial_outage'));
    expect(await ask('reporter', 'forget', 'mirrors/second')).toMatchObject({ code: 0 });
    await until(first.url, 'all well', isWell);
  });
});
