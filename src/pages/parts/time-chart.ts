// Values over time as a picture, drawn on the server, with the same numbers as a table: for screen readers, for
// printing and for who wants them exact. The labels are text of the page, so that they stay readable on a narrow
// screen.
import { scaleLinear, scaleTime } from 'd3-scale';
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { moment } from './times.ts';

export type ChartPoint = {
  /** ns */
  at: bigint;
  value: bigint | number;
};

export type TimeChartOptions = {
  /** For the page: one of this name. */
  id: string;
  title: string;
  /** By time. null = nothing is known of that moment: the line is interrupted. */
  points: readonly (ChartPoint | { at: bigint; value: null })[];
  /** ns. What the picture spans; default: the points. */
  start?: bigint;
  end?: bigint;
  /**
   * `line`: between the points the value changes evenly. `step`: it stays until the next. `bars`: of the time until the
   * next.
   */
  shape: 'line' | 'step' | 'bars';
  /** The value with its unit. */
  format(value: bigint | number): MarkupValue;
  /** The head of the column with the values. */
  unit: string;
  /** How the spans that begin at the points are shown, and the head of their column; default: to the second. */
  times?: { head: string; show(at: bigint): MarkupValue };
};

const toTheSecond: NonNullable<TimeChartOptions['times']> = { head: 'Time', show: moment };

const width = 600;
const height = 120;
/** More rows are no use to a reader; the picture has all points. */
const maxRows = 100;

export function timeChart(options: TimeChartOptions): Markup {
  const { id, title, format, times = toTheSecond } = options;
  const known = options.points.filter((point): point is ChartPoint => point.value !== null);
  if (known.length === 0)
    return html`<figure class="chart"><figcaption>${title}</figcaption><p class="none">Nothing is known yet.</p></figure>`;
  const start = options.start ?? options.points[0]!.at;
  const end = options.end ?? options.points.at(-1)!.at;
  const highest = known.reduce((most, point) => (point.value > most.value ? point : most));
  const newest = known.at(-1)!;
  const top = Number(highest.value) > 0 ? Number(highest.value) : 1;
  return html`<figure class="chart" id="${id}"><figcaption id="${`${id}-title`}">${title}</figcaption>
<div class="plot"><div class="scale" aria-hidden="true"><span>${format(highest.value)}</span><span>0</span></div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${`${id}-title`}" aria-describedby="${`${id}-words`}"><path class="grid" d="M0 .5H${width}M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}"/>${draw(options, { start, end, top })}</svg></div>
<div class="axis" aria-hidden="true"><span>${times.show(start)}</span><span>${times.show(options.times ? end - 1n : end)}</span></div>
<p class="faint" id="${`${id}-words`}">Newest ${format(newest.value)}, highest ${format(highest.value)} at ${times.show(highest.at)}.</p>
${numbers(known, options)}</figure>`;
}

type Frame = { start: bigint; end: bigint; top: number };

function draw({ points, shape }: TimeChartOptions, { start, end, top }: Frame): Markup {
  const x = scaleTime([toDate(start), toDate(end > start ? end : start + 1_000_000n)], [0, width]);
  const y = scaleLinear([0, top], [height - 1, 3]);
  const places = points.map(({ at, value }) => ({
    x: round(x(toDate(at))),
    y: value === null ? null : round(y(Number(value))),
  }));
  if (shape === 'bars') {
    const bars = places.flatMap((place, index) =>
      place.y === null || place.y >= height - 1 ? [] : [drawBar(place.x, place.y, places[index + 1]?.x ?? width)],
    );
    return html`<path class="area" d="${bars.join('')}"/>`;
  }
  const curve = shape === 'step' ? curveStepAfter : curveLinear;
  // A value that stays is drawn to the end of the picture.
  const last = places.at(-1)!;
  const drawn = shape === 'step' && last.x < width ? [...places, { x: width, y: last.y }] : places;
  type Place = (typeof drawn)[number];
  const isKnown = (place: Place): boolean => place.y !== null;
  const toX = (place: Place): number => place.x;
  const toY = (place: Place): number => place.y!;
  const filled = area<Place>().defined(isKnown).x(toX).y0(height).y1(toY).curve(curve).digits(1)(drawn) ?? '';
  const stroke = line<Place>().defined(isKnown).x(toX).y(toY).curve(curve).digits(1)(drawn) ?? '';
  return html`<path class="area" d="${filled}"/><path class="line" d="${stroke}"/>`;
}

function drawBar(from: number, y: number, to: number): string {
  const wide = Math.max(0.5, to - from - (to - from > 4 ? 1 : 0));
  return `M${from} ${height}V${y}h${round(wide)}V${height}z`;
}

function numbers(
  points: readonly ChartPoint[],
  { title, unit, format, times = toTheSecond }: TimeChartOptions,
): Markup {
  const step = Math.ceil(points.length / maxRows);
  const shown = points.filter((_, index) => (points.length - 1 - index) % step === 0).toReversed();
  const rows = shown.map(
    ({ at, value }) =>
      html`<tr><td data-name="${times.head}">${times.show(at)}</td><td class="number" data-name="${unit}">${format(value)}</td></tr>`,
  );
  const some = step === 1 ? null : html`, one of ${step}`;
  return html`<details><summary>The numbers${some}</summary><div class="table"><table><caption class="away">${title}</caption><thead><tr><th scope="col">${times.head}</th><th scope="col" class="number">${unit}</th></tr></thead>
<tbody>
${joinMarkup(rows, '\n')}
</tbody></table></div></details>`;
}

function toDate(timestamp: bigint): Date {
  return new Date(Number(timestamp / 1_000_000n));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
