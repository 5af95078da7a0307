// The days of a component as one bar each, in SVG. Every state has its own shape as well as its own colour: whole, cut
// once, cut twice, cut three times, hollow, or only a stub at the bottom for no data.
import { html, type Markup } from '../../../kit/markup.ts';
import { formatDuration } from './page-times.ts';
import { dayWords } from './state-words.ts';
import { type DayState, findDayState, isEventful, statesByWeight, type Uptime, type UptimeDay } from './uptime-days.ts';

const barHeight = 34;
const barStep = 5;
const barWidth = 3.6;
/** The newest days with events that get a tooltip; limits the page's size. */
const titledDays = 20;

/** Pieces of a bar from top to bottom: [y, height] of `barHeight`. */
const shapes: Record<DayState, [number, number][]> = {
  operational: [[0, 34]],
  degraded_performance: [
    [0, 10],
    [13, 21],
  ],
  partial_outage: [
    [0, 7],
    [10, 7],
    [20, 14],
  ],
  major_outage: [
    [0, 6],
    [9.5, 6],
    [19, 6],
    [28, 6],
  ],
  under_maintenance: [[0.6, 32.8]],
  no_data: [[30, 4]],
};

export function formatUptimeBars(name: string, days: readonly UptimeDay[]): Markup {
  const states = days.map(findDayState);
  const width = days.length * barStep;
  const drawn = statesByWeight.map((state) => {
    const path = states.flatMap((each, index) => (each === state ? [drawBar(state, index * barStep)] : [])).join('');
    return path ? html`<path class="${dayWords[state].className}" d="${path}"/>` : null;
  });
  return html`<svg class="bars" viewBox="0 0 ${width} ${barHeight}" preserveAspectRatio="none" role="img" aria-label="${summarizeDays(name, states)}">${drawn}${drawTitles(days)}</svg>`;
}

/** One bar of each state with its name. */
export function formatLegend(): Markup {
  const items = statesByWeight.toReversed().map((state) => {
    const { className, label } = dayWords[state];
    return html`<li><svg class="bar" viewBox="0 0 5 ${barHeight}" preserveAspectRatio="none" aria-hidden="true"><path class="${className}" d="${drawBar(state, 0.7)}"/></svg> ${label}</li>\n`;
  });
  return html`<ul class="legend" aria-label="Legend of the bars">${items}</ul>`;
}

/** e.g. "2026-11-21: major outage for 3 h 12 min, no data for 20 min" */
export function describeDay(day: UptimeDay): string {
  const parts = statesByWeight
    .filter((state) => state !== 'operational' && (day.seconds[state] ?? 0) > 0)
    .map((state) => `${dayWords[state].label.toLowerCase()} for ${formatDuration(day.seconds[state]!)}`);
  return `${day.date}: ${parts.join(', ') || dayWords[findDayState(day)].label.toLowerCase()}`;
}

/** e.g. "99.98 % up in 34 d 2 h measured". Rounded down, so that an outage never reads as 100 %. */
export function formatUptime(uptime: Uptime | null): string {
  if (uptime === null) return 'nothing measured yet';
  const percent = Math.floor(uptime.share * 10_000) / 100;
  return `${percent === 100 ? percent : percent.toFixed(2)} % up in ${formatDuration(uptime.seconds)} measured`;
}

function drawBar(state: DayState, x: number): string {
  return shapes[state].map(([y, height]) => `M${x} ${y}h${barWidth}v${height}h-${barWidth}z`).join('');
}

function drawTitles(days: readonly UptimeDay[]): Markup[] {
  return days
    .flatMap((day, index) => (isEventful(day) ? [{ day, x: index * barStep }] : []))
    .slice(-titledDays)
    .map(
      ({ day, x }) =>
        html`<path class="point" d="M${x} 0h${barStep}v${barHeight}h-${barStep}z"><title>${describeDay(day)}</title></path>`,
    );
}

function summarizeDays(name: string, states: readonly DayState[]): string {
  const counts = statesByWeight
    .map((state) => ({ state, count: states.filter((each) => each === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${dayWords[state].label.toLowerCase()}`);
  return `${name}, last ${states.length} days: ${counts.join(', ')}`;
}
