// A report as one self-contained page: two plots and the tables.
import { html, type Markup, trustedMarkup } from '../../packages/kit/markup.ts';
import { formatMs } from '../support/markdown-table.ts';
import { formatFigure } from '../support/print-table.ts';
import { drawPlot, type PlotLine } from './plot.ts';
import { budgetConnections, type QueryReport, reportScales, selectRows, totalCpuMs } from './query-report.ts';
import { formatReportTables } from './report-tables.ts';

export function formatReportPage(report: QueryReport): string {
  const { base, large } = reportScales(report);
  const connections = budgetConnections(report);
  const asked = selectRows(report, { scale: base, isCached: false, connections });
  const kept = selectRows(report, { scale: base, isCached: true, connections });
  const ofLarge = large === null ? null : selectRows(report, { scale: large, isCached: false, connections });
  const rows = [...asked.values()];
  const bare = middle(rows.map((row) => row.bare.perSecond));
  const bareCpu = middle(rows.map((row) => row.bare.cpuMs));
  const point = report.pointQueries.find((one) => one.scale === base && one.connections === connections);
  const grown = large === null ? null : `of the database, ${large / base} × the data`;
  const { machine, versions, commit, startedAt, ledgers } = report;
  const sizes = ledgers.map(({ transactions }) => transactions.toLocaleString('en')).join(' and ');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ledger Mirror: what answers cost</title><style>${trustedMarkup(style)}</style></head><body>
<h1>What answers cost</h1>
<p>${startedAt.slice(0, 16).replace('T', ' ')} UTC, commit ${commit}. ${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB, Node ${versions.node.slice(1)}, PostgreSQL
${versions.postgres}; ledgers of ${sizes} transactions; ${connections} connections, skewed requests.</p>
<div class="plots">
<section><h2>Requests a second</h2>${legend([
    ['asked', 'of the database'],
    ['kept', 'from memory'],
    ['bare', `bare Fastify route, ${formatFigure(bare)}`],
    ...(point ? ([['point', `pgbench's point query, ${formatFigure(point.perSecond)}`]] as const) : []),
  ])}
${drawPlot({
  title: 'Requests a second of every request, of the database and from memory',
  isLogarithmic: true,
  references: [
    { value: bare, series: 'bare', tells: `Bare Fastify route: ${formatFigure(bare)} a second` },
    ...(point
      ? [{ value: point.perSecond, series: 'point', tells: `pgbench: ${formatFigure(point.perSecond)} a second` }]
      : []),
  ],
  lines: rows.map(({ request, perSecond }) => {
    const memory = kept.get(request)!.perSecond;
    return {
      label: request,
      dots: [
        {
          value: perSecond,
          series: 'asked',
          tells: `${request}, of the database: ${formatFigure(perSecond)} a second`,
        },
        { value: memory, series: 'kept', tells: `${request}, from memory: ${formatFigure(memory)} a second` },
      ],
    };
  }),
})}</section>
<section><h2>CPU a request, ms</h2>${legend([
    ['server', 'server'],
    ['postgres', 'PostgreSQL'],
    ...(grown === null ? [] : ([['grown', `both, ${grown}`]] as const)),
    ['bare', `bare Fastify route, ${formatMs(bareCpu)}`],
  ])}
${drawPlot({
  title: 'CPU time of every request, of server and PostgreSQL',
  isLogarithmic: false,
  references: [{ value: bareCpu, series: 'bare', tells: `Bare Fastify route: ${formatMs(bareCpu)} ms` }],
  lines: rows.map((row): PlotLine => {
    const larger = ofLarge?.get(row.request);
    return {
      label: row.request,
      bars: [
        {
          value: row.serverCpuMs,
          series: 'server',
          tells: `${row.request}: server ${formatMs(row.serverCpuMs)} ms`,
        },
        {
          value: row.postgresCpuMs ?? 0,
          series: 'postgres',
          tells: `${row.request}: PostgreSQL ${formatMs(row.postgresCpuMs)} ms`,
        },
      ],
      ticks: larger
        ? [
            {
              value: totalCpuMs(larger),
              series: 'grown',
              tells: `${row.request}, ${grown}: ${formatMs(totalCpuMs(larger))} ms`,
            },
          ]
        : [],
    };
  }),
})}</section>
</div>
<h2>All figures</h2>
${tablesOf(report)}
</body></html>
`;
  return page.markup;
}

function legend(entries: readonly (readonly [series: string, name: string])[]): Markup {
  return html`<ul class="legend">${entries.map(
    ([series, name]) =>
      html`<li><svg width="14" height="14"><rect class="key ${series}" width="14" height="14" rx="3"/></svg> ${name}</li>`,
  )}</ul>`;
}

/** The Markdown of the report, which has headings, paragraphs, lists and tables only. */
function tablesOf(report: QueryReport): Markup[] {
  return formatReportTables(report)
    .split('\n\n')
    .map((block) => {
      const lines = block.split('\n');
      if (block.startsWith('### ')) return html`<h3>${block.slice(4)}</h3>`;
      if (block.startsWith('* ')) return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`;
      if (!block.startsWith('|')) return html`<p>${inline(block)}</p>`;
      const [head, , ...body] = lines.map((line) => line.slice(2, -2).split(' | '));
      return html`<div class="table"><table><thead><tr>${head!.map((cell) => html`<th>${inline(cell)}</th>`)}</tr></thead>
<tbody>${body.map((cells) => html`<tr>${cells.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
    });
}

/** `code` and *emphasis*. */
function inline(text: string): Markup[] {
  return text
    .split(/(`[^`]*`|\*\w+ \w+\*)/)
    .map((part) =>
      part.startsWith('`')
        ? html`<code>${part.slice(1, -1)}</code>`
        : /^\*\w/.test(part)
          ? html`<em>${part.slice(1, -1)}</em>`
          : html`${part}`,
    );
}

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #5c6670; --paper: #fff; --grid: #e3e7eb; --asked: #1f6fd6; --kept: #c85a00;
  --server: #1f6fd6; --postgres: #7fb2ef; --mark: #1b1f24; --bare: #17823b; --point: #8b5cf6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf0; --dim: #9aa5b1; --paper: #14181d; --grid: #2c333b; --asked: #6cabff;
  --kept: #f4a15d; --server: #4d94f0; --postgres: #a9ccf7; --mark: #fff; --bare: #52c878; --point: #b79bff; } }
body { margin: 0 auto; max-width: 84rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; margin: 0.5rem 0; } h2 { font-size: 1.15rem; margin: 1.5rem 0 0.25rem; } h3 { font-size: 1rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2.5rem; align-items: start; }
section { min-width: 0; } svg { display: block; overflow: visible; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0 0 0.5rem; padding: 0; color: var(--dim); font-size: 0.85rem; }
.legend li { display: flex; align-items: center; gap: 0.35rem; }
text { fill: var(--ink); font: 12px system-ui, sans-serif; } text.label { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
text.axis { text-anchor: middle; fill: var(--dim); font-size: 11px; font-variant-numeric: tabular-nums; }
line.grid { stroke: var(--grid); } line.range { stroke: var(--dim); stroke-width: 2; opacity: 0.5; }
.asked { fill: var(--asked); } .kept { fill: var(--kept); } .server { fill: var(--server); } .postgres { fill: var(--postgres); }
line.bare { stroke: var(--bare); stroke-width: 2; stroke-dasharray: 6 4; } line.point { stroke: var(--point); stroke-width: 2; stroke-dasharray: 2 4; }
line.goal { stroke: var(--bare); stroke-width: 2; stroke-dasharray: 6 4; } line.grown { stroke: var(--mark); stroke-width: 3; }
.key.bare, .key.goal { fill: var(--bare); } .key.point { fill: var(--point); } .key.grown { fill: var(--mark); }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--grid); white-space: nowrap; vertical-align: bottom; }
th { white-space: normal; min-width: 5rem; } th:first-child, td:first-child { text-align: left; }
code { font-size: 0.9em; overflow-wrap: anywhere; } p { max-width: 48rem; }
`;
