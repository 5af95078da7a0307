// The report as Markdown: on what, a table for each ledger, round and number of connections, and what misses its goal.
import { formatMs, formatTable, formatTimes } from '../support/markdown-table.ts';
import { formatFigure } from '../support/print-table.ts';
import { answeredElsewhere, goals } from './asked-endpoints.ts';
import { type BesideReport, type BesideRow, timesByCpu } from './beside-report.ts';
import { formatGrowth } from './growth-table.ts';
import type { Cost } from './measure-question.ts';

export function formatBesideTables(report: BesideReport): string {
  const groups = Map.groupBy(
    report.rows,
    ({ ledger, round, connections }) => `${ledger} ledger, ${round}, ${connections} connections`,
  );
  return [
    describeRun(report),
    ...[...groups].flatMap(([title, rows]) => [`### ${title}`, formatTable(...costTable(rows))]),
    ...formatGrowth(report),
    ...(report.rival === null ? [] : ['### What misses its goal', listMisses(groups)]),
    '### Memory at the end',
    formatTable(
      ['ledger', 'server', 'MB'],
      report.memory.map(({ ledger, side, residentMb }) => [ledger, sideNames[side], residentMb.toFixed(0)]),
    ),
    ...(report.rival === null ? [] : ['### Answers that differ as expected', listExpected(report)]),
    '### Not measured',
    listUnmeasured(report),
  ].join('\n\n');
}

const sideNames = { rival: 'Hiero mirror node', mirror: 'ours, of the database', kept: 'ours, from memory' };

function describeRun(report: BesideReport): string {
  const { machine, versions, ledgers } = report;
  const each = ledgers.map(
    ({ name, transactions, questions, compared }) =>
      `* ${name} ledger: ${transactions.toLocaleString('en')} transactions, ${questions} questions, ${compared.toLocaleString('en')} answers compared`,
  );
  return `\`${report.command}\`: ${report.startedAt.slice(0, 16)}, commit ${report.commit}, ${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB,
Node ${versions.node.slice(1)}, PostgreSQL ${versions.postgres}, load ${formatFigure(machine.loadBefore)} before. ${report.rival === null ? 'One' : `The other: ${report.rival}. Both one`}
process with ${report.poolSize} connections to one PostgreSQL, no cache of answers; ${report.secondsEach} s a server and row, in slices in turn. CPU is ms a
request, server + PostgreSQL.

${each.join('\n')}`;
}

function costTable(rows: readonly BesideRow[]): [head: string[], rows: string[][]] {
  const side = (cost: Cost): string[] => [formatFigure(cost.perSecond), formatCpu(cost), formatFigure(cost.p99Ms)];
  if (rows.every(({ costs }) => costs.rival === null)) {
    return [
      ['request', 'KB', 'requests/s', 'CPU', 'p99 ms', 'from memory: requests/s', 'CPU', 'p99 ms'],
      rows.map(({ request, costs: { mirror, kept } }) => {
        return [`\`${request}\``, formatFigure(mirror.bytes / 1000), ...side(mirror), ...side(kept)];
      }),
    ];
  }
  const head = [
    ...['request', 'KB', 'Hiero: requests/s', 'CPU', 'p99 ms', 'ours: requests/s', 'CPU', 'p99 ms'],
    ...['× by requests', '× by CPU', 'goal', 'from memory: requests/s', 'CPU', '× by CPU'],
  ];
  return [
    head,
    rows.map((row) => {
      const { rival, mirror, kept } = row.costs;
      if (rival === null) throw new Error(`${row.request} was measured without the other`);
      return [
        `\`${row.request}\``,
        formatFigure(mirror.bytes / 1000),
        ...side(rival),
        ...side(mirror),
        formatTimes(mirror.perSecond / rival.perSecond),
        formatTimes(timesByCpu(row)),
        `${row.goal} ×`,
        ...[formatFigure(kept.perSecond), formatCpu(kept), formatTimes(timesByCpu(row, 'kept'))],
      ];
    }),
  ];
}

function formatCpu({ serverCpuMs, postgresCpuMs }: Cost): string {
  return `${formatMs(serverCpuMs)} + ${formatMs(postgresCpuMs)}`;
}

function listMisses(groups: ReadonlyMap<string, readonly BesideRow[]>): string {
  const lines = [...groups].flatMap(([title, rows]) => {
    const below = (goal: number, from: number): BesideRow[] =>
      rows
        .filter((row) => row.goal >= goal && timesByCpu(row) >= from && timesByCpu(row) < goal)
        .sort((a, b) => timesByCpu(a) - timesByCpu(b));
    const slow = rows.filter((row) => partOfP99(row) > goals.p99);
    const kept = rows.filter((row) => timesByCpu(row, 'kept') < goals.kept);
    return [
      miss(`below ${goals.every} × by CPU`, below(goals.every, 0), (row) => formatTimes(timesByCpu(row))),
      miss(
        `lists and first endpoints below ${goals.listsAndFirst} ×, but not below ${goals.every} ×`,
        below(goals.listsAndFirst, goals.every),
        (row) => formatTimes(timesByCpu(row)),
      ),
      miss(`p99 above ${goals.p99} of Hiero's`, slow, (row) => partOfP99(row).toFixed(2)),
      miss(`from memory below ${goals.kept} ×`, kept, (row) => formatTimes(timesByCpu(row, 'kept'))),
    ].map((line) => `* ${title}, ${line}`);
  });
  return lines.join('\n') || 'Nothing was measured.';
}

/** Of the rival's. */
function partOfP99({ costs }: BesideRow): number {
  return costs.rival === null ? Number.NaN : costs.mirror.p99Ms / costs.rival.p99Ms;
}

function miss(what: string, rows: readonly BesideRow[], figure: (row: BesideRow) => string): string {
  const each = rows.map((row) => `\`${row.request}\` ${figure(row)}`);
  return `${what}: ${each.length === 0 ? 'none' : `${each.length} rows: ${each.join(', ')}`}`;
}

function listExpected({ expected }: BesideReport): string {
  const byReason = Map.groupBy(
    expected.flatMap(({ reasons, ...of }) => reasons.map((reason) => ({ ...of, reason }))),
    ({ reason }) => reason,
  );
  const lines = [...byReason].map(
    ([reason, of]) => `* ${reason}: ${of.map(({ ledger, request }) => `\`${request}\` (${ledger})`).join(', ')}`,
  );
  return lines.join('\n') || 'None.';
}

function listUnmeasured({ unmeasured }: BesideReport): string {
  return [
    ...unmeasured.map(({ ledger, request, why }) => `* ${ledger} ledger, \`${request}\`: ${why}`),
    `* not answered by the service that was measured: ${answeredElsewhere.map((endpoint) => `\`${endpoint}\``).join(', ')}`,
  ].join('\n');
}
