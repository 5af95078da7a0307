// One kind of request, measured at every number of connections: of the database, from the answer cache, and of
// a bare route in the same seconds.
import type { Round, RowFigures, Version } from '../report/query-report.ts';
import { type LoadOptions, measureLoad } from './http-load.ts';
import { postgresCpuSeconds } from './postgres-cpu.ts';
import type { RequestKind } from './request-kind.ts';

export type MeasuredServers = {
  bareUrl: string;
  servers: readonly { url: string; isCached: boolean; version: Version }[];
  /** Of their PostgreSQL. */
  dataFolder: string;
  scale: number;
};

/** Until V8 has compiled the hot code. */
const warmUpRequests = 750;

/** @param seconds of one measurement of a server; the bare route has half of it */
export async function measureRequest(
  { name, paths }: RequestKind,
  { bareUrl, servers, dataFolder, scale }: MeasuredServers,
  { connectionCounts, seconds, round }: { connectionCounts: readonly number[]; seconds: number; round: Round },
): Promise<RowFigures[]> {
  // Plans are made, code is compiled, pages are in memory, answers are kept.
  for (const { url, isCached } of servers) {
    const leastRequests = isCached ? paths.length : warmUpRequests;
    await measureLoad({ url, paths, connections: 16, seconds: Math.min(1, seconds), leastRequests });
  }
  const rows: RowFigures[] = [];
  for (const connections of connectionCounts) {
    const bareLoad = { url: bareUrl, paths: ['/api/v1/bare'], connections, seconds: seconds / 4 };
    const bare = [await measureCpu(bareLoad, dataFolder)];
    const measured: Omit<RowFigures, 'bare'>[] = [];
    for (const { url, isCached, version } of servers) {
      const figures = await measureCpu({ url, paths, connections, seconds }, dataFolder);
      measured.push({ request: name, scale, isCached, connections, round, version, ...figures });
    }
    bare.push(await measureCpu(bareLoad, dataFolder));
    const mean = (of: (one: Measured) => number): number => bare.reduce((sum, one) => sum + of(one), 0) / bare.length;
    const bareMean = { perSecond: mean((one) => one.perSecond), cpuMs: mean((one) => one.serverCpuMs) };
    rows.push(...measured.map((row) => ({ ...row, bare: bareMean })));
  }
  return rows;
}

/** The server's figures in its metrics. */
export async function readUsage(url: string): Promise<{ cpuSeconds: number; residentMb: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    cpuSeconds: metric('process_cpu_seconds_total'),
    residentMb: metric('process_resident_memory_bytes') / 2 ** 20,
  };
}

type Measured = Pick<RowFigures, 'perSecond' | 'p50Ms' | 'p99Ms' | 'bytes' | 'serverCpuMs' | 'postgresCpuMs'>;

export async function measureCpu(load: LoadOptions, dataFolder: string): Promise<Measured> {
  const before = await readUsage(load.url);
  const postgresBefore = postgresCpuSeconds(dataFolder);
  const { count, ...figures } = await measureLoad(load);
  const postgresAfter = postgresCpuSeconds(dataFolder);
  const after = await readUsage(load.url);
  const perRequest = (cpuSeconds: number): number => (cpuSeconds * 1000) / count;
  return {
    ...figures,
    serverCpuMs: perRequest(after.cpuSeconds - before.cpuSeconds),
    postgresCpuMs:
      postgresBefore === null || postgresAfter === null ? null : perRequest(postgresAfter - postgresBefore),
  };
}
