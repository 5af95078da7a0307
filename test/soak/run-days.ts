// A mirror for hours: a network that goes on, an importer, a server with every door, and clients that ask everything at
// a third of what it can answer. In the first half every part is killed, PostgreSQL is restarted and killed, and the
// server is exchanged for another without a request lost; the second half is undisturbed. A line a minute; at the end
// memory, open files, waiting times and disk are judged, and the tables must equal those of an undisturbed import.
//
//   node scripts/run.mjs test/soak/run-days.ts [--hours 2.5] [--per-second <n>] [--block-interval 1000]
//     [--output <file with a JSON line a minute>]
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { compareWithUndisturbed, countBlocks } from '../support/tables/compare-undisturbed.ts';
import { askedKinds, findSubjects, type Subjects, type Target } from './days/asked-kinds.ts';
import { type Mirror, startMirror } from './days/mirror.ts';
import { type LoadFigures, measureCapacity, startLoad } from './days/mixed-load.ts';
import { childOf, familyMb, folderMb, sampleProcess } from './days/sample.ts';
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

const folder = mkdtempSync(join(tmpdir(), 'days-'));
// PostgreSQL runs as another user where this is root, and must reach its folder here.
chmodSync(folder, 0o755);
const mirror = await startMirror({ folder, blockIntervalMs: Number(options['block-interval']) });
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  await mirror.close();
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<boolean> {
  const target: Target = { places: mirror.places() };
  let subjects: Subjects = await findSubjects(target.places.url, '/demo');
  const kinds = askedKinds(target, () => subjects);
  const perSecond = Number(options['per-second'] ?? (await measureCapacity(kinds, 30)) / 3);
  console.log(`${perSecond.toFixed(0)} requests a second, of ${kinds.length} kinds`);
  const load = startLoad(kinds, perSecond);
  const disturbances = planDisturbances(mirror, target);
  const minutes: Minute[] = [];
  const wrong: string[] = [];
  for (let minute = 1; minute <= minutesOfRun; minute++) {
    const due = disturbances.get(minute) ?? [];
    for (const { name, make } of due) {
      console.log(`${minute} · ${name}`);
      await make();
    }
    await sleep(60_000);
    const figures = load.take();
    const isDisturbed = due.length > 0 || disturbances.has(minute - 1);
    minutes.push(await measureMinute(minute, isDisturbed, figures));
    wrong.push(...figures.wrong, ...unexpected(figures, isDisturbed));
    report(minutes.at(-1)!, figures);
    // The ledger grows: what is asked of grows along. Not asked anew while a part is away.
    if (minute % 5 === 0 && !isDisturbed) subjects = await findSubjects(target.places.url, '/demo');
  }
  await load.stop();
  return conclude(minutes, wrong);
}

type Disturbance = { name: string; make(): Promise<void> };

/** By the minute in which they begin, spread over the first half. */
function planDisturbances(mirror: Mirror, target: Target): Map<number, Disturbance[]> {
  const all: Disturbance[] = [
    { name: 'the import is killed', make: () => mirror.kill('import') },
    { name: 'the server is killed', make: () => mirror.kill('serve') },
    { name: 'the status service is killed', make: async () => killStatus(mirror) },
    { name: 'the network is killed', make: () => mirror.kill('network') },
    { name: 'PostgreSQL is restarted', make: async () => mirror.signalPostgres('SIGINT') },
    { name: 'PostgreSQL is killed', make: async () => mirror.signalPostgres('SIGKILL') },
    {
      name: 'the server is exchanged for another',
      async make() {
        const old = await mirror.openNextServer();
        target.places = mirror.places();
        await old.end();
      },
    },
  ];
  const step = minutesOfRun / 2 / (all.length + 1);
  const planned = new Map<number, Disturbance[]>();
  for (const [at, one] of all.entries()) {
    const minute = Math.max(1, Math.round((at + 1) * step));
    planned.set(minute, [...(planned.get(minute) ?? []), one]);
  }
  return planned;
}

function killStatus(mirror: Mirror): void {
  const pid = childOf(mirror.pids().serve, /status/);
  if (pid === null) throw new Error('The server has no status service');
  process.kill(pid, 'SIGKILL');
}

/** Without a fault nothing may be cut, and of what is refused only what is bounded for each client. */
function unexpected({ kinds, notSent }: LoadFigures, isDisturbed: boolean): string[] {
  if (isDisturbed) return [];
  const cut = [...kinds].flatMap(([name, figures]) => (figures.cut > 0 ? [`${name}: ${figures.cut} cut`] : []));
  return notSent > 0 ? [...cut, `${notSent} not sent: the answers came too late`] : cut;
}

async function measureMinute(minute: number, isDisturbed: boolean, figures: LoadFigures): Promise<Minute> {
  const pids = mirror.pids();
  const status = childOf(pids.serve, /status/);
  const postgresMb = familyMb(pids.postgres);
  return {
    minute,
    isDisturbed,
    parts: {
      serve: sampleProcess(pids.serve),
      ...(status === null ? { status: null } : { status: sampleProcess(status) }),
      import: sampleProcess(pids.import),
      PostgreSQL: { pid: pids.postgres, pssMb: postgresMb, files: 0 },
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
  const { parts, p99, blocks, diskMb } = minute;
  const memory = Object.entries(parts).map(([name, part]) => `${name} ${part ? part.pssMb.toFixed(0) : '–'}`);
  const rest = kinds.get('REST')!;
  const sum = (of: 'right' | 'refused' | 'cut') => [...kinds.values()].reduce((all, figures) => all + figures[of], 0);
  console.log(
    [
      `${minute.minute}${minute.isDisturbed ? ' *' : ''}`,
      `${memory.join(', ')} MB`,
      `files ${parts.serve?.files ?? '–'}`,
      `REST p50 ${rest.ms.length > 0 ? quantile(rest.ms, 0.5).toFixed(1) : '–'}, p99 ${p99.REST?.toFixed(0) ?? '–'} ms`,
      `right ${sum('right')}, refused ${sum('refused')}, cut ${sum('cut')}, wrong ${wrong.length}, not sent ${notSent}`,
      `block ${blocks}, ${diskMb.toFixed(0)} MB`,
    ].join(' · '),
  );
  if (options.output !== undefined) {
    const counts = Object.fromEntries([...kinds].map(([name, { ms, ...figures }]) => [name, figures]));
    appendFileSync(options.output, `${JSON.stringify({ ...minute, counts, notSent, wrong })}\n`);
  }
}

async function conclude(minutes: readonly Minute[], wrong: readonly string[]): Promise<boolean> {
  await mirror.stopNetwork();
  const differences = await compareWithUndisturbed({ ...mirror, folder: join(folder, 'reference') });
  const found = [...judge(minutes, limitsOf(minutes.length)), ...differences];
  for (const sentence of [...wrong.slice(0, 20), ...found]) console.log(sentence.slice(0, 500));
  if (wrong.length > 20) console.log(`… and ${wrong.length - 20} more`);
  const isWell = wrong.length === 0 && found.length === 0;
  console.log(isWell ? 'All is as it was after the first minutes.' : 'MISSED');
  return isWell;
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
