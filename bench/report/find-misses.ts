// Which budgets a run of the query benchmark missed, one sentence each.
import { fitCostByBytes } from '../support/explain-by-bytes.ts';
import { formatFigure } from '../support/print-table.ts';
import { hieroFigures } from './hiero-figures.ts';
import {
  budgetConnections,
  cpuRatio,
  leastRatioAlone,
  type QueryReport,
  reportScales,
  selectRows,
  totalCpuMs,
} from './query-report.ts';

/** Times the peer, and limits. */
export const goals = {
  asked: 10,
  kept: 25,
  oneConnection: 6,
  /** Of a bare route, from memory. */
  keptOfBare: 0.75,
  p99Ms: 25,
  /** CPU, of the largest ledger against the smallest. */
  growth: 1.3,
  /** What an answer may cost of what its bytes explain. */
  ofExplained: 2,
} as const;

export function findMisses(report: QueryReport): string[] {
  const { base, large } = reportScales(report);
  const connections = budgetConnections(report);
  const asked = selectRows(report, { scale: base, isCached: false, connections });
  const kept = selectRows(report, { scale: base, isCached: true, connections });
  const alone = selectRows(report, { scale: base, isCached: false, connections: 1 });
  const ofLarge = large === null ? null : selectRows(report, { scale: large, isCached: false, connections });
  const explained = fitCostByBytes(
    [...asked.values()].map((row) => ({ kilobytes: row.bytes / 1000, cost: totalCpuMs(row) })),
  );
  const times = (ratio: number): string => `${ratio.toFixed(1)} ×`;
  const of = (request: string, figure: string, goal: string): string => `\`${request}\`: ${figure} of ${goal}`;
  return [
    ...[...asked.values()].flatMap((row) => {
      const { request } = row;
      const hiero = hieroFigures[request];
      const one = alone.get(request);
      const fromMemory = kept.get(request)!;
      const grown = ofLarge?.get(request);
      const growth = grown ? totalCpuMs(grown) / totalCpuMs(row) : 0;
      const ofExplained = totalCpuMs(row) / explained(row.bytes / 1000);
      const ofBare = fromMemory.perSecond / fromMemory.bare.perSecond;
      const checks: [isMissed: boolean, sentence: () => string][] = [
        [
          hiero !== undefined && cpuRatio(hiero, row) < goals.asked,
          () => of(request, `${times(cpuRatio(hiero!, row))} the peer by CPU`, times(goals.asked)),
        ],
        [
          hiero !== undefined && cpuRatio(hiero, fromMemory) < goals.kept,
          () => of(request, `${times(cpuRatio(hiero!, fromMemory))} the peer from memory`, times(goals.kept)),
        ],
        [
          hiero !== undefined && one !== undefined && leastRatioAlone(hiero, one) < goals.oneConnection,
          () =>
            of(
              request,
              `at least ${times(leastRatioAlone(hiero!, one!))} the peer at one connection`,
              times(goals.oneConnection),
            ),
        ],
        [row.p99Ms > goals.p99Ms, () => of(request, `p99 ${formatFigure(row.p99Ms)} ms`, `${goals.p99Ms}`)],
        [
          ofBare < goals.keptOfBare,
          () => of(request, `${formatFigure(ofBare)} of a bare route from memory`, `${goals.keptOfBare}`),
        ],
        [
          growth > goals.growth,
          () => of(request, `${times(growth)} the CPU with ${large! / base} × the data`, times(goals.growth)),
        ],
        [
          ofExplained > goals.ofExplained,
          () => of(request, `${times(ofExplained)} what its bytes explain`, times(goals.ofExplained)),
        ],
      ];
      return checks.filter(([isMissed]) => isMissed).map(([, sentence]) => sentence());
    }),
    ...report.memory
      .filter(({ residentMb, maxMb }) => residentMb > maxMb)
      .map(
        ({ scale, isCached, residentMb, maxMb }) =>
          `memory of the server, scale ${scale}, ${isCached ? 'answers kept' : 'asked'}: ${formatFigure(residentMb)} MB of ${maxMb}`,
      ),
  ];
}
