// Transactions a second of the last hour, minute by minute, and of the last day, ten minutes by ten minutes. The last
// hour and day are those up to the newest block: a mirror may be of a ledger that has ended.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { Throughput } from '../../ledger/blocks/create-throughput.ts';
import { formatPerSecond } from '../parts/rates.ts';
import { type ChartPoint, timeChart } from '../parts/time-chart.ts';

const minute = 60_000_000_000n;

export function throughputCharts(throughput: Throughput | null): Markup {
  return html`${chart(throughput, { id: 'last-hour', name: 'last hour, by minutes', minutes: 60, step: 1 })}
${chart(throughput, { id: 'last-day', name: 'last day, by ten minutes', minutes: 1440, step: 10 })}`;
}

/** `minutes`: of the chart; `step`: of one bar. */
type ChartOptions = { id: string; name: string; minutes: number; step: number };

function chart(throughput: Throughput | null, { id, name, minutes, step }: ChartOptions): Markup {
  const { end, minutes: counts } = throughput ?? { end: 0n, minutes: [] };
  const length = BigInt(step) * minute;
  const points: ChartPoint[] = [];
  for (let last = counts.length; last >= step && points.length < minutes / step; last -= step) {
    const value = counts.slice(last - step, last).reduce((sum, count) => sum + count, 0n);
    points.unshift({ at: end - BigInt(counts.length - last + step) * minute, value });
  }
  return html`<div class="card">${timeChart({
    ...{ id, points, end, start: end - BigInt(minutes) * minute, shape: 'bars', unit: 'A second' },
    title: `Transactions a second, ${name}`,
    format: (value) => formatPerSecond(BigInt(value), length),
  })}</div>`;
}
