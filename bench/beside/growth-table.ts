// How cost grows with the ledger: the same request on the smallest and the largest of the run, the worst first.
import { formatMs, formatTable } from '../support/markdown-table.ts';
import { median } from '../support/median.ts';
import { formatFigure } from '../support/print-table.ts';
import { type BesideReport, type BesideRow, totalCpuMs } from './beside-report.ts';

/** × at the largest ledger. */
const growthGoals = { cpu: 1.25, p99: 1.5 } as const;

type Growth = { request: string; rows: BesideRow[]; cpu: number; p99: number };

/** Markdown; nothing where the run has one large ledger. */
export function formatGrowth(report: BesideReport): string[] {
  const sizes = report.ledgers
    .filter(({ name }) => name.startsWith('large'))
    .toSorted((one, other) => one.transactions - other.transactions);
  if (sizes.length < 2) return [];
  const names = sizes.map(({ name }) => name);
  const groups = Map.groupBy(
    report.rows.filter(({ ledger }) => names.includes(ledger)),
    ({ round, connections }) => `Growth, ${round}, ${connections} connections`,
  );
  return [...groups].flatMap(([title, rows]) => {
    const grown = findGrowth(rows, names);
    if (grown.length === 0) return [];
    const above = grown.filter(({ cpu }) => cpu > growthGoals.cpu);
    const slower = grown.filter(({ p99 }) => p99 > growthGoals.p99);
    const counts = sizes.map(({ transactions }) => transactions.toLocaleString('en'));
    return [
      `### ${title}`,
      `${counts.join(', ')} transactions, each request on all of them in turn. CPU of the last by that of the first: median
${median(grown.map(({ cpu }) => cpu)).toFixed(2)}; above ${growthGoals.cpu}: ${above.length} of ${grown.length}. p99: median ${median(grown.map(({ p99 }) => p99)).toFixed(2)}; above
${growthGoals.p99}: ${slower.length}.`,
      formatTable(
        ['request', ...counts.map((count) => `CPU at ${count}`), '×', ...counts.map((count) => `p99 at ${count}`), '×'],
        grown.map(({ request, rows: of, cpu, p99 }) => [
          `\`${request}\``,
          ...of.map(({ costs: { mirror } }) => `${formatMs(mirror.serverCpuMs)} + ${formatMs(mirror.postgresCpuMs)}`),
          cpu.toFixed(2),
          ...of.map(({ costs: { mirror } }) => formatFigure(mirror.p99Ms)),
          p99.toFixed(2),
        ]),
      ),
    ];
  });
}

/** Of requests that were measured on all of them. */
function findGrowth(rows: readonly BesideRow[], ledgers: readonly string[]): Growth[] {
  return [...Map.groupBy(rows, ({ request }) => request)]
    .flatMap(([request, all]): Growth[] => {
      const of = ledgers.flatMap((name) => all.find(({ ledger }) => ledger === name) ?? []);
      if (of.length < ledgers.length) return [];
      const [first, last] = [of[0]!.costs.mirror, of.at(-1)!.costs.mirror];
      return [{ request, rows: of, cpu: totalCpuMs(last) / totalCpuMs(first), p99: last.p99Ms / first.p99Ms }];
    })
    .toSorted((one, other) => other.cpu - one.cpu);
}
