// A plot of one line a request as SVG: marks on a common axis, the label above its line, so that it reads at any width.
// Places across are shares of the width; nothing is scaled.
import { html, joinMarkup, type Markup } from '../../packages/kit/markup.ts';

export type PlotLine = {
  label: string;
  /** From nothing, one after the other. */
  bars?: readonly PlotMark[];
  dots?: readonly PlotMark[];
  ticks?: readonly PlotMark[];
};

/** `tells` is what is read out and shown on pointing. */
type PlotMark = { value: number; series: string; tells: string };

export type Plot = {
  title: string;
  isLogarithmic: boolean;
  /** Across all lines. */
  references: readonly { value: number; series: string; tells: string }[];
  lines: readonly PlotLine[];
};

const lineHeight = 36;
const axisHeight = 22;

export function drawPlot({ title, isLogarithmic, references, lines }: Plot): Markup {
  const values = [
    ...references.map(({ value }) => value),
    ...lines.flatMap(({ bars = [], dots = [], ticks = [] }) => [
      bars.reduce((sum, { value }) => sum + value, 0),
      ...[...dots, ...ticks].map(({ value }) => value),
    ]),
  ].filter((value) => value > 0);
  const axis = isLogarithmic ? logarithmicAxis(values) : linearAxis(values);
  const height = lines.length * lineHeight + 2 * axisHeight;
  const place = (value: number): string => `${(axis.place(value) * 100).toFixed(2)}%`;
  const labels = (y: number): Markup =>
    joinMarkup(
      axis.marks.map((mark) => html`<text class="axis" x="${place(mark)}" y="${y}">${formatMark(mark)}</text>`),
      '',
    );
  const across = (value: number, series: string): Markup =>
    html`<line class="${series}" x1="${place(value)}" x2="${place(value)}" y1="${axisHeight}" y2="${height - axisHeight}"/>`;
  return html`<svg role="img" aria-label="${title}" width="100%" height="${height}">
${labels(14)}${axis.marks.map((mark) => across(mark, 'grid'))}
${references.map(({ value, series, tells }) => html`<g><title>${tells}</title>${across(value, series)}</g>`)}
${lines.map((line, index) => drawLine(line, axisHeight + index * lineHeight, place, axis.place))}
${labels(height - 6)}
</svg>`;
}

function drawLine(
  { label, bars = [], dots = [], ticks = [] }: PlotLine,
  top: number,
  place: (value: number) => string,
  share: (value: number) => number,
): Markup {
  const middle = top + 25;
  let until = 0;
  const drawn = bars.map(({ value, series, tells }) => {
    const from = until;
    until += value;
    const width = `${((share(until) - share(from)) * 100).toFixed(2)}%`;
    return html`<rect class="${series}" x="${place(from)}" y="${middle - 6}" width="${width}" height="12"><title>${tells}</title></rect>`;
  });
  const ends = dots.map(({ value }) => value);
  const range =
    dots.length > 1
      ? html`<line class="range" x1="${place(Math.min(...ends))}" x2="${place(Math.max(...ends))}" y1="${middle}" y2="${middle}"/>`
      : null;
  return html`<text class="label" x="0" y="${top + 14}">${label}</text>${drawn}${range}${dots.map(
    ({ value, series, tells }) =>
      html`<circle class="${series}" cx="${place(value)}" cy="${middle}" r="5"><title>${tells}</title></circle>`,
  )}${ticks.map(
    ({ value, series, tells }) =>
      html`<line class="${series}" x1="${place(value)}" x2="${place(value)}" y1="${middle - 9}" y2="${middle + 9}"><title>${tells}</title></line>`,
  )}`;
}

/** `place` is a share of the width. */
type Axis = { marks: number[]; place(value: number): number };

/** Room for half a dot on both sides. */
const margin = 0.02;
const within = (share: number): number => margin + Math.min(1, Math.max(0, share)) * (1 - 2 * margin);

function linearAxis(values: number[]): Axis {
  const most = Math.max(...values);
  const decade = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map((part) => part * decade).find((part) => most / part <= 5)!;
  const count = Math.ceil(most / step);
  const end = count * step;
  return {
    marks: Array.from({ length: count + 1 }, (_, index) => index * step),
    place: (value) => within(value / end),
  };
}

function logarithmicAxis(values: number[]): Axis {
  const marks: number[] = [];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  for (let decade = 10 ** Math.floor(Math.log10(least)); ; decade *= 10) {
    for (const part of [1, 3]) {
      if (part * decade * 3.4 < least) continue;
      marks.push(part * decade);
      if (part * decade >= most) {
        const [first, last] = [Math.log(marks[0]!), Math.log(marks.at(-1)!)];
        return { marks, place: (value) => within((Math.log(value) - first) / (last - first)) };
      }
    }
  }
}

function formatMark(value: number): string {
  if (value >= 1000) return `${Number((value / 1000).toPrecision(2))}k`;
  return String(Number(value.toPrecision(2)));
}
