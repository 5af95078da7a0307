// The tables of a report, as Markdown: what it was measured on, the frames, every request, and what is missed.
import { formatMs, formatTable, formatTimes } from '../support/markdown-table.ts';
import { median } from '../support/median.ts';
import { formatFigure } from '../support/print-table.ts';
import { findMisses } from './find-misses.ts';
import { findSlower } from './find-slower.ts';
import {
  budgetConnections,
  connectionCounts,
  type QueryReport,
  type RowFigures,
  reportScales,
  selectRows,
  type Version,
} from './query-report.ts';

export function formatReportTables(report: QueryReport): string {
  return [
    describeRun(report),
    '### Frames',
    formatTable(...frames(report)),
    describeMemory(report),
    '### Every request',
    formatTable(...everyRequest(report)),
    '### Before and after a quiet minute',
    describeRounds(report),
    formatTable(...bothRounds(report)),
    ...describeSlower(report),
    '### What misses a budget',
    findMisses(report)
      .map(({ budget, missed }) => `* ${budget}: ${missed.join(', ')}`)
      .join('\n') || 'Nothing.',
  ].join('\n\n');
}

function describeRun(report: QueryReport): string {
  const { machine, versions, ledgers, commit, command, seconds, secondsEach, startedAt } = report;
  const sizes = ledgers.map(({ transactions }) => transactions.toLocaleString('en')).join(' and ');
  return `\`${command}\`: ${startedAt.slice(0, 10)}, commit ${commit}, ${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB,
Node ${versions.node.slice(1)}, PostgreSQL ${versions.postgres}; ledgers of ${sizes} transactions; ${secondsEach} s a measurement, ${formatFigure(seconds / 60)} minutes in all; load ${formatFigure(machine.loadBefore)}
before, ${formatFigure(machine.loadAfter)} after.`;
}

type Table = [head: string[], rows: string[][]];

function frames({ rows, pointQueries, ledgers }: QueryReport): Table {
  const counts = connectionCounts(rows);
  const body = counts.map((connections) => {
    const bare = rows.filter((row) => row.connections === connections).map((row) => row.bare);
    return [
      connections === 1 ? '1 connection' : `${connections} connections`,
      formatFigure(median(bare.map(({ perSecond }) => perSecond))),
      formatMs(median(bare.map(({ cpuMs }) => cpuMs))),
      ...ledgers.map(({ scale }) => {
        const point = pointQueries.find((one) => one.scale === scale && one.connections === connections);
        return point ? `${formatFigure(point.perSecond)} at ${formatMs(point.postgresCpuMs)} ms` : 'no pgbench';
      }),
    ];
  });
  return [
    ['', 'bare Fastify/s', 'its CPU ms', ...ledgers.map(({ scale }) => `pgbench point query/s, scale ${scale}`)],
    body,
  ];
}

function describeMemory({ memory }: QueryReport): string {
  const each = memory.map(
    ({ scale, version, isCached, residentMb, maxMb }) =>
      `${formatFigure(residentMb)} of ${maxMb} MB (scale ${scale}, ${isCached ? 'from memory' : 'of the database'}${version === 'before' ? ', the version before' : ''})`,
  );
  return `Memory of the servers after all of it: ${each.join(', ')}.`;
}

function everyRequest(report: QueryReport): Table {
  const { base, large } = reportScales(report);
  const counts = connectionCounts(report.rows);
  const many = budgetConnections(report);
  const rate = (scale: number, isCached: boolean, request: string): string =>
    counts
      .map((connections) => selectRows(report, { scale, isCached, connections }).get(request))
      .map((row) => (row ? formatFigure(row.perSecond) : '–'))
      .join(' / ');
  const asked = selectRows(report, { scale: base, isCached: false, connections: many });
  const kept = selectRows(report, { scale: base, isCached: true, connections: many });
  const ofLarge = large === null ? null : selectRows(report, { scale: large, isCached: false, connections: many });
  const body = [...asked.values()].map((row) => {
    const { request } = row;
    return [
      `\`${request}\``,
      formatFigure(row.bytes / 1000),
      rate(base, false, request),
      formatFigure(row.p99Ms),
      formatCpu(row),
      formatFigure(row.perSecond / row.bare.perSecond),
      ...(ofLarge ? [formatCpu(ofLarge.get(request))] : []),
      rate(base, true, request),
      formatMs(kept.get(request)!.serverCpuMs),
      formatFigure(kept.get(request)!.perSecond / kept.get(request)!.bare.perSecond),
    ];
  });
  const at = counts.join(' / ');
  return [
    [
      ...[
        'request',
        'KB',
        `requests/s at ${at} connections`,
        `p99 ms at ${many}`,
        'CPU ms, server + PostgreSQL',
        'of bare',
      ],
      ...(large === null ? [] : [`CPU ms, ${formatTimes(large / base)} the data`]),
      ...[`from memory: requests/s at ${at}`, 'CPU ms', 'of bare'],
    ],
    body,
  ];
}

/** Nothing without a version before. */
function describeSlower(report: QueryReport): string[] {
  const slower = findSlower(report);
  if (slower === null) return [];
  const lines = slower.map(({ request, isCached, beforeCpuMs, cpuMs }) => {
    const place = isCached ? 'from memory' : 'of the database';
    return `* \`${request}\` ${place}: ${formatMs(beforeCpuMs)} → ${formatMs(cpuMs)} ms of CPU`;
  });
  return ['### Slower than before by a quarter', lines.join('\n') || 'Nothing.'];
}

function describeRounds(report: QueryReport): string {
  const { before, quietSeconds, ledgers } = report;
  const connections = budgetConnections(report);
  const { base } = reportScales(report);
  const { transactions } = ledgers.find(({ scale }) => scale === base)!;
  return `Fresh servers are asked row by row; then all rows mixed, then nothing for ${quietSeconds} s, then row by row again. The second figure is
that of the tables above and below. ${connections} connections, ${transactions.toLocaleString('en')} transactions; CPU is that of the server alone.${
    before === null ? '' : ` *Before* is ${before}, whose servers were asked in the same seconds.`
  }`;
}

function bothRounds(report: QueryReport): Table {
  const { base: scale } = reportScales(report);
  const connections = budgetConnections(report);
  const versions: Version[] = report.before === null ? ['this'] : ['before', 'this'];
  const kinds = versions.flatMap((version) => [false, true].map((isCached) => ({ version, isCached })));
  const all = kinds.map((kind) => ({
    ...kind,
    fresh: selectRows(report, { scale, connections, ...kind, round: 'fresh' }),
    worn: selectRows(report, { scale, connections, ...kind }),
  }));
  const inTurn = (of: (row: RowFigures) => string, fresh?: RowFigures, worn?: RowFigures): string =>
    [fresh, worn].map((row) => (row ? of(row) : '–')).join(' → ');
  const requests = [...all[0]!.worn.keys()];
  const body = requests.map((request) => [
    `\`${request}\``,
    ...all.flatMap(({ fresh, worn }) => {
      const rounds = [fresh.get(request), worn.get(request)] as const;
      return [
        inTurn(({ perSecond }) => formatFigure(perSecond), ...rounds),
        inTurn(({ serverCpuMs }) => formatMs(serverCpuMs), ...rounds),
      ];
    }),
  ]);
  const ofAll = all.flatMap(({ fresh, worn }) => {
    const ratios = (of: (row: RowFigures) => number): number[] =>
      [...worn].flatMap(([request, row]) => {
        const first = fresh.get(request);
        return first ? [of(row) / of(first)] : [];
      });
    const middle = (of: (row: RowFigures) => number): string => formatTimes(median(ratios(of)));
    return [middle(({ perSecond }) => perSecond), middle(({ serverCpuMs }) => serverCpuMs)];
  });
  return [
    [
      'request',
      ...kinds.flatMap(({ version, isCached }) => {
        const name = `${version === 'before' ? 'before, ' : ''}${isCached ? 'from memory' : 'of the database'}`;
        return [`${name}: requests/s`, 'CPU ms'];
      }),
    ],
    [['median of second to first', ...ofAll], ...body],
  ];
}

function formatCpu(row: RowFigures | undefined): string {
  return row ? `${formatMs(row.serverCpuMs)} + ${formatMs(row.postgresCpuMs)}` : '–';
}
