// The measured values of the last day as lines in SVG, with their numbers as text. Without measurements the line is
// interrupted. A few huge values, such as the lag of a mirror that has just begun, are cut off at the top and marked
// there: to scale, a lag of 62 hours makes a day of 3 s a flat line.
import { html, joinMarkup, type Markup } from '../../../kit/markup.ts';
import type { ChartPoint } from '../../status-state.ts';
import { formatDuration, type PageTimes } from './page-times.ts';
import type { StatusView } from './status-view.ts';

const stepMs = 300_000;
/** A day; less while the service is young, but at least an hour. */
const maxSteps = 288;
const minSteps = 12;
const width = 574;
const height = 80;

/** `isBounded`: the values have a maximum, as shares have. */
type Chart = {
  name: string;
  isBounded: boolean;
  format(value: number): string;
  read(point: ChartPoint): number | null;
};

const charts: Chart[] = [
  { name: 'Import lag', isBounded: false, format: formatMs, read: ({ lagMs }) => lagMs },
  { name: 'Response time, 95th percentile', isBounded: false, format: formatMs, read: ({ p95Ms }) => p95Ms },
  { name: 'Failed requests', isBounded: true, format: formatShare, read: ({ errorShare }) => errorShare },
];

/** If the highest value is more than this many times the third quartile, values are cut off at that multiple. */
const hugeAt = 20;
const cutAt = 5;

export function formatCharts({ points, times }: Pick<StatusView, 'points' | 'times'>): Markup | null {
  const last = points.at(-1);
  if (!last) return null;
  const steps = Math.round((last.at - points[0]!.at) / stepMs) + 1;
  const start = last.at - (Math.min(maxSteps, Math.max(minSteps, steps)) - 1) * stepMs;
  const drawn = charts.map((chart) => {
    const values = placePoints(points, start, last.at, chart.read);
    return formatChart(chart, { values, start, end: last.at + stepMs }, times);
  });
  return html`<section><h2>The last day</h2>\n${joinMarkup(drawn, '\n')}</section>`;
}

/** One value a step from `start` to `end`; null if none was measured, or if the clock jumped over it. */
function placePoints(
  points: readonly ChartPoint[],
  start: number,
  end: number,
  read: Chart['read'],
): (number | null)[] {
  const values: (number | null)[] = Array(Math.round((end - start) / stepMs) + 1).fill(null);
  for (const point of points) {
    const index = Math.round((point.at - start) / stepMs);
    if (index >= 0 && index < values.length) values[index] = read(point);
  }
  return values;
}

type Line = { values: readonly (number | null)[]; start: number; end: number };

function formatChart({ name, format, isBounded }: Chart, { values, start, end }: Line, times: PageTimes): Markup {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  if (sorted.length === 0) {
    return html`<figure class="chart"><figcaption>${name} <span>nothing was measured</span></figcaption></figure>`;
  }
  const highest = sorted.at(-1)!;
  const top = isBounded ? highest : findTop(sorted);
  const newest = values.at(-1) ?? null;
  const words = [
    newest === null ? 'not measured now' : `now ${format(newest)}`,
    `median ${format(sorted[Math.floor((sorted.length - 1) / 2)]!)} over ${formatDuration((sorted.length * stepMs) / 1000)}`,
    `highest ${format(highest)}`,
  ].join(', ');
  const highestAt = times.briefMoment(start + values.indexOf(highest) * stepMs);
  const cut = sorted.filter((value) => value > top).length;
  const scale =
    cut > 0 ? html`0 to ${format(top)}, ${cut} ${cut === 1 ? 'value' : 'values'} above` : html`0 to ${format(top)}`;
  return html`<figure class="chart"><figcaption>${name} <span>${words}${highest > 0 ? html` at ${highestAt}` : null}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${`${name} over the last day: ${words}`}"><path class="grid" d="M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}"/><path class="line" d="${drawLine(values, top)}"/>${cut > 0 ? html`<path class="cut" d="${drawCuts(values, top)}"/>` : null}</svg>
<div class="axis"><span>${times.briefMoment(start)}</span> <span>${scale}</span> <span>${times.briefMoment(end)}</span></div></figure>`;
}

/** The value at the upper edge. */
function findTop(sorted: readonly number[]): number {
  const highest = sorted.at(-1)!;
  const quartile = sorted[Math.floor((sorted.length - 1) * 0.75)]!;
  return quartile > 0 && highest > quartile * hugeAt ? quartile * cutAt : highest;
}

function drawLine(values: readonly (number | null)[], top: number): string {
  const scale = (height - 4) / (top > 0 ? top : 1);
  const step = width / (values.length - 1);
  return values
    .map((value, index) => {
      if (value === null) return '';
      const begins = (values[index - 1] ?? null) === null;
      // A single value between two gaps needs a length to be drawn.
      const alone = begins && (values[index + 1] ?? null) === null;
      const y = round(height - 1 - Math.max(0, Math.min(value, top)) * scale);
      return `${begins ? 'M' : 'L'}${round(index * step)} ${y}${alone ? `h${index === 0 ? 2 : -2}` : ''}`;
    })
    .join('');
}

/** A mark at the upper edge for each value above it. */
function drawCuts(values: readonly (number | null)[], top: number): string {
  const step = width / (values.length - 1);
  return values
    .map((value, index) => (value !== null && value > top ? `M${round(index * step) - 3} 4l3-4 3 4z` : ''))
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function formatMs(ms: number): string {
  if (ms >= 60_000) return formatDuration(ms / 1000);
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms >= 10 ? Math.round(ms) : Number(ms.toPrecision(2))} ms`;
}

function formatShare(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}
