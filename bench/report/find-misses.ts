// Which budgets a run of the query benchmark missed, one sentence each.
import { fitCostByBytes } from '../support/explain-by-bytes.ts';
import { formatFigure } from '../support/print-table.ts';
import {
  budgetConnections,
  type QueryReport,
  type RowFigures,
  reportScales,
  selectRows,
  totalCpuMs,
} from './query-report.ts';

/** Limits. How many times as fast as the peer: bench/beside.ts. */
const goals = {
  /** Of a bare route, from memory. */
  keptOfBare: 0.75,
  p99Ms: 25,
  /** Ratio of CPU, largest ledger to smallest. */
  growth: 1.3,
  /** Ratio of the server's CPU after a quiet minute to that before. */
  worn: 1.5,
  /** Ratio of the cost of an answer to the cost that its bytes explain. */
  ofExplained: 2,
} as const;

/** By budget: the rows that missed it, each with its figure. */
export function findMisses(report: QueryReport): { budget: string; missed: string[] }[] {
  const { base, large } = reportScales(report);
  const connections = budgetConnections(report);
  const asked = selectRows(report, { scale: base, isCached: false, connections });
  const kept = selectRows(report, { scale: base, isCached: true, connections });
  const ofLarge = large === null ? null : selectRows(report, { scale: large, isCached: false, connections });
  const explained = fitCostByBytes(
    [...asked.values()].map((row) => ({ kilobytes: row.bytes / 1000, cost: totalCpuMs(row) })),
  );
  const times = (ratio: number): string => `${ratio.toFixed(1)} ×`;
  /** `figure`: null = there is none, or the budget is kept. */
  const of = (budget: string, figure: (row: RowFigures) => string | null): { budget: string; missed: string[] } => ({
    budget,
    missed: [...asked.values()].flatMap((row) => {
      const missed = figure(row);
      return missed === null ? [] : [`\`${row.request}\` ${missed}`];
    }),
  });
  const above = (ratio: number, goal: number): string | null => (ratio > goal ? times(ratio) : null);
  const freshAsked = selectRows(report, { scale: base, isCached: false, connections, round: 'fresh' });
  const memory = report.memory
    .filter(({ version, residentMb, maxMb }) => version === 'this' && residentMb > maxMb)
    .map(
      ({ scale, isCached, residentMb, maxMb }) =>
        `scale ${scale}, ${isCached ? 'from memory' : 'of the database'}: ${formatFigure(residentMb)} of ${maxMb} MB`,
    );
  return [
    of(`p99 at ${connections} connections, at most ${goals.p99Ms} ms`, ({ p99Ms }) =>
      p99Ms > goals.p99Ms ? `${formatFigure(p99Ms)} ms` : null,
    ),
    of(`a bare route's requests/s from memory, at least ${goals.keptOfBare} ×`, ({ request }) => {
      const { perSecond, bare } = kept.get(request)!;
      return perSecond / bare.perSecond < goals.keptOfBare ? `${formatFigure(perSecond / bare.perSecond)} ×` : null;
    }),
    of(`CPU with ${large === null ? 1 : large / base} × the data, at most ${goals.growth} ×`, (row) => {
      const grown = ofLarge?.get(row.request);
      return grown ? above(totalCpuMs(grown) / totalCpuMs(row), goals.growth) : null;
    }),
    of(`CPU of the server after a quiet minute, at most ${goals.worn} × of before`, (row) => {
      const fresh = freshAsked.get(row.request);
      return fresh ? above(row.serverCpuMs / fresh.serverCpuMs, goals.worn) : null;
    }),
    of(`CPU that the bytes of an answer explain, at most ${goals.ofExplained} ×`, (row) =>
      above(totalCpuMs(row) / explained(row.bytes / 1000), goals.ofExplained),
    ),
    { budget: 'memory of the server', missed: memory },
  ].filter(({ missed }) => missed.length > 0);
}
