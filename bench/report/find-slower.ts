// What takes more time of a processor than in the version before: of the same request, in the same seconds.
import { budgetConnections, type QueryReport, reportScales, selectRows } from './query-report.ts';

/** Less is within what two runs of one version differ by. */
const ratio = 1.25;

export type Slower = {
  request: string;
  isCached: boolean;
  /** ms of the server's processor, for one request. */
  beforeCpuMs: number;
  cpuMs: number;
};

/** At the connections and the size of the data that budgets are for, the most first; null without a version before. */
export function findSlower(report: QueryReport): Slower[] | null {
  if (report.before === null) return null;
  const { base: scale } = reportScales(report);
  const connections = budgetConnections(report);
  return [false, true]
    .flatMap((isCached) => {
      const before = selectRows(report, { scale, isCached, connections, version: 'before' });
      return [...selectRows(report, { scale, isCached, connections })].flatMap(([request, { serverCpuMs: cpuMs }]) => {
        const beforeCpuMs = before.get(request)?.serverCpuMs;
        const isSlower = beforeCpuMs !== undefined && cpuMs > ratio * beforeCpuMs;
        return isSlower ? [{ request, isCached, beforeCpuMs, cpuMs }] : [];
      });
    })
    .sort((a, b) => b.cpuMs / b.beforeCpuMs - a.cpuMs / a.beforeCpuMs);
}
