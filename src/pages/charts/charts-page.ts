// `/{network}/charts`: all charts over days, small; `/{network}/charts/{name}`: one of them.
import { html, joinMarkup, type Markup } from '../../../packages/kit/markup.ts';
import type { CountedDays, DaySpans, DaySums } from '../../ledger/days/create-days.ts';
import { drawInTurns } from '../page/draw-in-turns.ts';
import { link } from '../page/links.ts';
import type { Page, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount, hbar } from '../parts/amounts.ts';
import { section, tabs } from '../parts/section.ts';
import { shareBar } from '../parts/share-bar.ts';
import { type Column, table } from '../parts/table.ts';
import { timeChart } from '../parts/time-chart.ts';
import { formatDay } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';
import { chartFile, typesFile } from './chart-files.ts';
import { days, describeStep, ranges, readRange, spans, startOf, toSpans } from './chart-range.ts';
import { type Chart, charts } from './chart-table.ts';

const chartsPage: Page = {
  path: '/charts',
  async ask(request, context) {
    const shown = await findShown(request, context, charts);
    const { links } = context;
    const small = (chart: Chart): Markup =>
      html`<div class="card">${draw(chart, shown!)}<p>${link(pathOf(request, `${links.start}/charts/${chart.name}`), html`More of it<span class="away">: ${chart.title}</span>`)}</p></div>`;
    const drawn =
      shown &&
      (await drawInTurns(
        charts.map((chart) => () => small(chart)),
        context,
      ));
    return {
      title: 'Charts',
      json: null,
      main: html`<h1>Charts</h1>
<p class="lead">What the ledger did over days, weeks and years, of UTC.</p>
${chooseRange(request)}
${shown === null ? none : html`${noteOf(shown)}<div class="grid">\n${joinMarkup(drawn!, '\n')}\n</div>`}`,
    };
  },
};

const pageOf = (chart: Chart): Page => ({
  path: `/charts/${chart.name}`,
  async ask(request, context) {
    const { links } = context;
    const shown = await findShown(request, context, [chart]);
    const isOfTypes = chart.name === 'transactions';
    const ofTypes = shown && isOfTypes ? await drawTypes(shown, context) : null;
    return {
      title: chart.title,
      json: null,
      csv: `${request.path}.csv`,
      main: html`<p class="lead">${link(pathOf(request, `${links.start}/charts`), 'All charts')}</p><h1>${chart.title}</h1>
<p>${chart.about}</p>
${chooseRange(request)}
${shown === null ? none : html`${noteOf(shown)}<div class="card">${draw(chart, shown)}</div>`}
${ofTypes}`,
    };
  },
  download: chartFile(chart),
});

export const chartPages: readonly Page[] = [{ ...chartsPage, download: typesFile }, ...charts.map(pageOf)];

type Shown = { known: CountedDays; asked: DaySpans; found: readonly DaySums[] };

/** null = no day is counted. */
async function findShown(
  request: PageRequest,
  { snapshot }: PageContext,
  shown: readonly Chart[],
): Promise<Shown | null> {
  const range = readRange(request.queryText);
  return snapshot(async ({ ledger }) => {
    const known = await ledger.days.known();
    if (known === null) return null;
    const asked = toSpans(range, known);
    const isOfNow = asked.until > known.last && shown.some(({ showsNewest }) => showsNewest);
    const [sums, now] = await Promise.all([ledger.days.sums(asked), isOfNow ? ledger.days.gasPriceNow() : null]);
    const newest = sums.at(-1);
    const found = newest ? [...sums.slice(0, -1), { ...newest, gasPrice: newest.gasPrice ?? now }] : [];
    return { known, asked, found };
  });
}

function draw(chart: Chart, { asked, found }: Shown): Markup {
  const { from, until, step } = asked;
  const bySpan = new Map(found.map((span) => [Number(span.span), chart.value(span)]));
  const count = Math.ceil((until - from) / step);
  return timeChart({
    id: chart.name,
    title: `${chart.title}, ${describeStep(asked)}`,
    points: Array.from({ length: count }, (_, span) => ({
      at: startOf(from + span * step),
      value: bySpan.get(span) ?? null,
    })),
    start: startOf(from),
    end: startOf(until),
    shape: chart.shape,
    format: (value) => chart.format(BigInt(value)),
    unit: chart.unit,
    times: step === 1 ? days : spans,
  });
}

function noteOf({ known: { first, last, filling }, asked }: Shown): Markup {
  const begun = html`The blocks here begin on ${formatDay(startOf(first))}; that day may not be whole`;
  const average = asked.step === 1 ? null : html` Numbers a day are averages of each span.`;
  const today = asked.step === 1 ? html`, and the newest, ${formatDay(startOf(last))}, may not be over` : null;
  const waiting =
    filling === 0n
      ? null
      : html` <strong>${formatCount(filling)} ${filling === 1n ? 'day is' : 'days are'} still being counted from stored rows.</strong>`;
  return html`<p class="faint">${begun}${today}.${average}${waiting}</p>`;
}

const none = html`<div class="card"><p class="none">No day is counted here: nothing has been imported yet, or another program wrote this database.</p></div>`;

function chooseRange(request: PageRequest): Markup {
  const [first] = ranges;
  const toPath = (name: string): string => (name === first.name ? request.path : `${request.path}?range=${name}`);
  const listed = ranges.map(({ name, text }) => ({ path: toPath(name), text }));
  return tabs('Time that is shown', listed, toPath(readRange(request.queryText).name));
}

/** The same time on another page. */
const pathOf = ({ queryText }: PageRequest, path: string): string => (queryText === '' ? path : `${path}?${queryText}`);

type TypeTotal = { type: number; transactions: bigint; fees: bigint; bySpan: Map<number, bigint> };

/** As many have a picture of their own. */
const drawnTypes = 8;

async function drawTypes(shown: Shown, context: PageContext): Promise<Markup> {
  const sums = await context.ledger.days.typeSums(shown.asked);
  const totals = [...Map.groupBy(sums, ({ type }) => type)]
    .map(([type, of]): TypeTotal => {
      const add = (member: 'transactions' | 'fees') => of.reduce((sum, one) => sum + one[member], 0n);
      const bySpan = new Map(of.map(({ span, transactions }) => [Number(span), transactions]));
      return { type, transactions: add('transactions'), fees: add('fees'), bySpan };
    })
    .sort((a, b) => Number(b.transactions - a.transactions) || a.type - b.type);
  const all = totals.reduce((sum, { transactions }) => sum + transactions, 0n);
  const columns: Column<TypeTotal>[] = [
    { name: 'Type', narrow: 'title', show: ({ type }) => typeWords(type) },
    { name: 'Transactions', narrow: 'amount', isNumber: true, show: ({ transactions }) => formatCount(transactions) },
    { name: 'Of all', narrow: 'start', show: ({ transactions }) => shareBar(transactions, all) },
    { name: 'Fees', narrow: 'end', narrowName: 'before', isNumber: true, show: ({ fees }) => hbar(fees) },
  ];
  const beside = html`<a href="${`${context.links.start}/charts/types.csv`}" download>By day as CSV</a>`;
  const small = (total: TypeTotal) => html`<div class="card">${drawType(total, shown)}</div>`;
  const drawn = await drawInTurns(
    totals.slice(0, drawnTypes).map((total) => () => small(total)),
    context,
  );
  return html`${section(
    { id: 'types', title: 'By type', beside },
    table(columns, totals, { caption: 'Transactions of this time by type', none: 'There was no transaction.' }),
  )}
<div class="grid">
${joinMarkup(drawn, '\n')}
</div>`;
}

function drawType({ type, bySpan }: TypeTotal, { asked, found }: Shown): Markup {
  const { from, until, step } = asked;
  return timeChart({
    id: `type-${type}`,
    title: `${typeWords(type)}, ${describeStep(asked)}`,
    points: found.map(({ span, days: counted }) => {
      const sum = bySpan.get(Number(span)) ?? 0n;
      return { at: startOf(from + Number(span) * step), value: (sum * 2n + counted) / (counted * 2n) };
    }),
    start: startOf(from),
    end: startOf(until),
    shape: 'bars',
    format: (value) => formatCount(BigInt(value)),
    unit: 'A day',
    times: step === 1 ? days : spans,
  });
}
