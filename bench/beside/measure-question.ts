// One question at one number of connections: both services in turn, in short slices, so that what else the machine does
// falls on all of them alike.
import { type LoadFigures, summarizeLoads, type TimedLoad, timeLoad } from '../support/http-load.ts';
import { postgresCpuSeconds } from '../support/postgres-cpu.ts';
import { familyCpuSeconds, listProcesses } from '../support/process-usage.ts';

/** `kept`: the mirror with its answers in memory. */
export type Side = 'rival' | 'mirror' | 'kept';

export type MeasuredServer = { side: Side; url: string; pid: number };

/** CPU times are ms a request. */
export type Cost = Pick<LoadFigures, 'perSecond' | 'p99Ms' | 'bytes'> & { serverCpuMs: number; postgresCpuMs: number };

/** `rival`: null = ours alone is measured. */
export type Costs = Record<Exclude<Side, 'rival'>, Cost> & { rival: Cost | null };

type Slice = { load: TimedLoad; serverCpuSeconds: number; postgresCpuSeconds: number };

const sliceSeconds = 0.25;
/** Until V8 has compiled what is hot, and every connection has its plans. */
const warmUpRequests = 1_000;
const maxWarmUpSeconds = 15;
/** Some answers are kept for a second only: so many are asked for once more before each slice from memory. */
const keptPaths = 20;
/** A slice is not shorter, however busy the machine is. */
const leastRequests = 100;

export async function warmUp(paths: readonly string[], servers: readonly MeasuredServer[]): Promise<void> {
  for (const { url, side } of servers) {
    const least = side === 'kept' ? keptPaths : warmUpRequests;
    await timeLoad({ url, paths, connections: 16, seconds: 0.1, leastRequests: least, maxSeconds: maxWarmUpSeconds });
  }
}

async function askOnce(url: string, paths: readonly string[]): Promise<void> {
  await timeLoad({ url, paths, connections: 4, seconds: 0, leastRequests: paths.length, maxSeconds: maxWarmUpSeconds });
}

/** @param seconds of each server */
export async function measureQuestion(
  paths: readonly string[],
  { servers, dataFolder }: { servers: readonly MeasuredServer[]; dataFolder: string },
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Costs> {
  const slices: Record<Side, Slice[]> = { rival: [], mirror: [], kept: [] };
  const turns = Math.max(2, Math.round(seconds / sliceSeconds));
  for (let turn = 0; turn < turns; turn++) {
    const inTurn = turn % 2 === 0 ? servers : servers.toReversed();
    for (const { side, url, pid } of inTurn) {
      const asked = side === 'kept' ? paths.slice(0, keptPaths) : paths;
      if (side === 'kept') await askOnce(url, asked);
      // A slow one gets through all of them as well, slice after slice.
      const done = slices[side].reduce((sum, slice) => sum + slice.load.durationsMs.length, 0) % asked.length;
      const rest = [...asked.slice(done), ...asked.slice(0, done)];
      const before = readCpu(pid, dataFolder);
      const load = await timeLoad({ url, paths: rest, connections, seconds: seconds / turns, leastRequests });
      const after = readCpu(pid, dataFolder);
      slices[side].push({
        load,
        serverCpuSeconds: after.server - before.server,
        postgresCpuSeconds: after.postgres - before.postgres,
      });
    }
  }
  const rival = slices.rival.length === 0 ? null : sumUp(slices.rival);
  return { rival, mirror: sumUp(slices.mirror), kept: sumUp(slices.kept) };
}

function sumUp(slices: readonly Slice[]): Cost {
  const { count, perSecond, p99Ms, bytes } = summarizeLoads(slices.map(({ load }) => load));
  const perRequest = (of: (slice: Slice) => number): number =>
    (slices.reduce((sum, slice) => sum + of(slice), 0) * 1000) / count;
  return {
    ...{ perSecond, p99Ms, bytes },
    serverCpuMs: perRequest(({ serverCpuSeconds }) => serverCpuSeconds),
    postgresCpuMs: perRequest(({ postgresCpuSeconds }) => postgresCpuSeconds),
  };
}

function readCpu(pid: number, dataFolder: string): { server: number; postgres: number } {
  const postgres = postgresCpuSeconds(dataFolder);
  const processes = listProcesses();
  if (processes === null || postgres === null) throw new Error('CPU times are read from /proc, which Linux has');
  return { server: familyCpuSeconds(String(pid), processes), postgres };
}
