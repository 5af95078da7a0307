// A mirror for hours: a network that goes on, an importer, a server with every door, and clients that ask everything at
// a third of what it can answer; some follow the ledger all along, and a contract is checked every two minutes. In the
// first half every part is killed, PostgreSQL is restarted and killed, its disk is full, the clock of the mirror is
// moved, and the server is exchanged for another without a request lost; the second half is undisturbed. A line a
// minute; at the end memory, open files and sockets, waiting times and disk are judged, those who followed must have
// everything once, and the tables must equal those of an undisturbed import. The full disk needs root, and the clock
// libfaketime: what is missing is said, and left out.
//
//   node scripts/run.mjs test/soak/run-days.ts [--hours 2.5] [--per-second <n>] [--block-interval 1000]
//     [--output <file with a JSON line a minute>]
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { verificationTables } from '../../packages/schema/verification-tables.ts';
import { type MovedClock, openMovedClock } from '../support/program/moved-clock.ts';
import { mountSmallDisk, type SmallDisk } from '../support/program/small-disk.ts';
import { compareWithUndisturbed, countBlocks } from '../support/tables/compare-undisturbed.ts';
import { askedKinds, findSubjects, type Subjects, type Target } from './days/asked-kinds.ts';
import { startContractChecks } from './days/contract-checks.ts';
import { type LongFollowers, openLongFollowers } from './days/long-followers.ts';
import { type Mirror, startMirror } from './days/mirror.ts';
import { type LoadFigures, measureCapacity, startLoad } from './days/mixed-load.ts';
import { folderMb, sampleFamily, sampleProcess } from './days/sample.ts';
import { judge, type Minute, usualVerdictLimits } from './days/verdict.ts';

const { values: options } = parseArgs({
  options: {
    hours: { type: 'string', default: '2.5' },
    'per-second': { type: 'string' },
    'block-interval': { type: 'string', default: '1000' },
    output: { type: 'string' },
  },
});
const minutesOfRun = Math.round(60 * Number(options.hours));
if (!(minutesOfRun >= 4)) throw new Error(`--hours takes 0.07 or more, not ${options.hours}`);
const fewestForP99 = 20;
/** WAL takes up to 2 GB, 150 minutes of blocks some hundred MB. */
const diskBytes = 6e9;

const folder = mkdtempSync(join(tmpdir(), 'days-'));
// PostgreSQL runs as another user where this is root, and must reach its folder here.
chmodSync(folder, 0o755);
const disk = mountSmallDisk(folder, diskBytes);
if (disk === null) console.log('Without a full disk: only root can make one');
const clock = openMovedClock(folder);
if (clock === null) console.log('Without a moved clock: libfaketime is not installed');
const mirror = await startMirror({
  ...{ folder, disk: disk?.folder ?? folder },
  blockIntervalMs: Number(options['block-interval']),
});
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  await mirror.close();
  disk?.close();
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<boolean> {
  const target: Target = { places: mirror.places() };
  let subjects: Subjects = await findSubjects(target.places.url, '/demo');
  const kinds = askedKinds(target, () => subjects, '/demo');
  const perSecond = Number(options['per-second'] ?? (await measureCapacity(kinds, 30)) / 3);
  console.log(`${perSecond.toFixed(0)} requests a second, of ${kinds.length} kinds`);
  const load = startLoad(kinds, perSecond);
  const followers = await openLongFollowers(target, mirror.connectionString);
  const checks = startContractChecks(target, 120_000);
  const disturbances = planDisturbances({ mirror, target, disk, clock });
  const minutes: Minute[] = [];
  const wrong: string[] = [];
  let renewing = Promise.resolve();
  for (let minute = 1; minute <= minutesOfRun; minute++) {
    const due = disturbances.get(minute) ?? [];
    for (const { name, make } of due) {
      console.log(`${minute} · ${name}`);
      await make();
    }
    await sleep(60_000);
    const figures = load.take();
    const checked = checks.take();
    const isDisturbed = due.length > 0 || disturbances.has(minute - 1);
    minutes.push({
      ...(await measureMinute(minute, isDisturbed, figures)),
      followers: followers.take(),
      checks: checked.right,
    });
    wrong.push(...figures.wrong, ...unexpected(figures, isDisturbed), ...checked.wrong);
    report(minutes.at(-1)!, figures);
    const said = mirror.takeSaid();
    for (const line of said.slice(0, 5)) console.log(`  ${line.slice(0, 300)}`);
    if (!isDisturbed) wrong.push(...said.filter((line) => /Z (error|fatal) /.test(line)));
    if (minute % 5 === 0) renewing = renewing.then(renew);
  }
  await Promise.all([checks.stop(), load.stop(), renewing]);
  return conclude({ minutes, wrong, followers, url: target.places.url });

  /** The ledger grows: what is asked of grows along. */
  async function renew(): Promise<void> {
    try {
      subjects = await findSubjects(target.places.url, '/demo');
    } catch (error) {
      // A part was killed meanwhile. What is asked of is still there.
      console.log(`asked of is what was there before: ${(error as Error).message}`);
    }
  }
}

type Disturbance = { name: string; make(): Promise<void> };

type Disturbed = { mirror: Mirror; target: Target; disk: SmallDisk | null; clock: MovedClock | null };

/** By the minute in which they begin, spread over the first half. */
function planDisturbances({ mirror, target, disk, clock }: Disturbed): Map<number, Disturbance[]> {
  const exchange = async (env?: Record<string, string>): Promise<void> => {
    const old = await mirror.openNextServer(env);
    target.places = mirror.places();
    await old.end();
  };
  const all: Disturbance[] = [
    { name: 'the import is killed', make: () => mirror.kill('import') },
    { name: 'the server is killed', make: () => mirror.kill('serve') },
    { name: 'the status service is killed', make: () => killStatus(mirror) },
    { name: 'the network is killed', make: () => mirror.kill('network') },
    { name: 'PostgreSQL is restarted', make: async () => mirror.signalPostgres('SIGINT') },
    { name: 'PostgreSQL is killed', make: async () => mirror.signalPostgres('SIGKILL') },
    ...(disk ? [{ name: 'the disk is full for 20 s', make: () => fillDisk(disk, mirror) }] : []),
    ...(clock ? [{ name: 'the clock is moved', make: () => moveClock(clock, { mirror, exchange }) }] : []),
    { name: 'the server is exchanged for another', make: () => exchange() },
  ];
  const step = minutesOfRun / 2 / (all.length + 1);
  const planned = new Map<number, Disturbance[]>();
  for (const [at, one] of all.entries()) {
    const minute = Math.max(1, Math.round((at + 1) * step));
    planned.set(minute, [...(planned.get(minute) ?? []), one]);
  }
  return planned;
}

/** PostgreSQL's, and the one of the status service. */
async function fillDisk(disk: SmallDisk, { connectionString }: Mirror): Promise<void> {
  disk.fill();
  // What its WAL has room for by itself. It may be ended by that.
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client
    .connect()
    .then(() => client.query('select pg_switch_wal()'))
    .catch(({ message }: Error) => console.log(`PostgreSQL says: ${message}`));
  await client.end().catch(() => undefined);
  disk.fill();
  await sleep(20_000);
  disk.free();
}

type ClockUsers = { mirror: Mirror; exchange(env?: Record<string, string>): Promise<void> };

/** Of the server, its status service and the import: five hours ahead, back, three hours behind, and back. */
async function moveClock({ env, set }: MovedClock, { mirror, exchange }: ClockUsers): Promise<void> {
  await exchange(env);
  await mirror.kill('import', env);
  for (const hours of [5, 0, -3, 0]) {
    set(3600 * hours);
    await sleep(20_000);
  }
  await exchange();
  await mirror.kill('import');
}

/** The one before has ended with its server, where that was killed just now. */
async function killStatus(mirror: Mirror): Promise<void> {
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(200)) {
    const pid = mirror.statusPid();
    if (pid === null || sampleProcess(pid) === null) continue;
    process.kill(pid, 'SIGKILL');
    return;
  }
  throw new Error('The server has no status service');
}

/** Without a fault nothing may be cut, and of what is refused only what is bounded for each client. */
function unexpected({ kinds, notSent }: LoadFigures, isDisturbed: boolean): string[] {
  if (isDisturbed) return [];
  const cut = [...kinds].flatMap(([name, figures]) => (figures.cut > 0 ? [`${name}: ${figures.cut} cut`] : []));
  return notSent > 0 ? [...cut, `${notSent} not sent: the answers came too late`] : cut;
}

type Measured = Omit<Minute, 'followers' | 'checks'>;

async function measureMinute(minute: number, isDisturbed: boolean, figures: LoadFigures): Promise<Measured> {
  const pids = mirror.pids();
  const status = mirror.statusPid();
  return {
    minute,
    isDisturbed,
    parts: {
      serve: sampleProcess(pids.serve),
      ...(status === null ? { status: null } : { status: sampleProcess(status) }),
      import: sampleProcess(pids.import),
      PostgreSQL: sampleFamily(pids.postgres),
    },
    p99: Object.fromEntries(
      [...figures.kinds].map(([name, { ms }]) => [name, ms.length < fewestForP99 ? null : quantile(ms, 0.99)]),
    ),
    blocks: await countBlocks(mirror.connectionString),
    // WAL is written over again.
    diskMb: folderMb(mirror.postgresFolder, 'pg_wal'),
  };
}

function report(minute: Minute, { kinds, wrong, notSent }: LoadFigures): void {
  const { parts, p99, blocks, diskMb, followers, checks } = minute;
  const ends = Object.values(followers).flatMap((one) => one.ends).length;
  const came = Object.values(followers).reduce((all, one) => all + one.came, 0);
  const memory = Object.entries(parts).map(([name, part]) => `${name} ${part ? part.memoryMb.toFixed(0) : '–'}`);
  const rest = kinds.get('REST')!;
  const sum = (of: 'right' | 'refused' | 'cut') => [...kinds.values()].reduce((all, figures) => all + figures[of], 0);
  console.log(
    [
      `${minute.minute}${minute.isDisturbed ? ' *' : ''}`,
      `${memory.join(', ')} MB`,
      `files ${parts.serve?.files ?? '–'}`,
      `REST p50 ${rest.ms.length > 0 ? quantile(rest.ms, 0.5).toFixed(1) : '–'}, p99 ${p99.REST?.toFixed(0) ?? '–'} ms`,
      `right ${sum('right')}, refused ${sum('refused')}, cut ${sum('cut')}, wrong ${wrong.length}, not sent ${notSent}`,
      `followed ${came}, ends ${ends}, contract checks ${checks}`,
      `block ${blocks}, ${diskMb.toFixed(0)} MB`,
    ].join(' · '),
  );
  if (options.output !== undefined) {
    const counts = Object.fromEntries([...kinds].map(([name, { ms, ...figures }]) => [name, figures]));
    appendFileSync(options.output, `${JSON.stringify({ ...minute, counts, notSent, wrong })}\n`);
  }
}

type Run = { minutes: readonly Minute[]; wrong: readonly string[]; followers: LongFollowers; url: string };

async function conclude({ minutes, wrong, followers, url }: Run): Promise<boolean> {
  const status = await readStatus(url);
  await mirror.stopNetwork();
  const differences = await compareWithUndisturbed({
    ...{ ...mirror, folder: join(folder, 'reference') },
    // What the contract checks found.
    without: Object.keys(verificationTables),
  });
  const missed = await followers.finish();
  followers.stop();
  const found = [...judge(minutes, limitsOf(minutes.length)), ...status, ...missed, ...differences];
  for (const sentence of [...wrong.slice(0, 20), ...found]) console.log(sentence.slice(0, 500));
  if (wrong.length > 20) console.log(`… and ${wrong.length - 20} more`);
  const isWell = wrong.length === 0 && found.length === 0;
  console.log(isWell ? 'All is as it was after the first minutes.' : 'MISSED');
  return isWell;
}

/** What the status says of components that are not well, long after the last fault. */
async function readStatus(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v2/components.json`);
  const { components } = (await answer.json()) as { components: { name: string; status: string }[] };
  return components
    .filter(({ status }) => status !== 'operational')
    .map(({ name, status }) => `status: ${name} is ${status} at the end`);
}

/** A run that is too short for the usual windows, such as one that tries the program, has shorter ones. */
function limitsOf(count: number) {
  const { warmUpMinutes, windowMinutes } = usualVerdictLimits;
  const second = Math.floor(count / 2);
  return {
    ...usualVerdictLimits,
    warmUpMinutes: Math.min(warmUpMinutes, Math.floor(second / 4)),
    windowMinutes: Math.min(windowMinutes, Math.max(1, Math.floor(second / 4))),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
