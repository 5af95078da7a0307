// The hbar balance of an account over time, as a picture.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { BalanceHistory, BalancePoint } from '../../ledger/accounts/balance-history-question.ts';
import { hbar } from '../parts/amounts.ts';
import { timeChart } from '../parts/time-chart.ts';
import { moment } from '../parts/times.ts';

/** `now`: the end of the newest block, ns. null = the balance is unknown. */
export function balanceChart(history: BalanceHistory | null, now: bigint): Markup {
  if (history === null) return html`<p class="none">Its balance is unknown here.</p>`;
  const { exact, snapshots, isWhole } = history;
  const points = thin([...snapshots, ...exact]).map(({ at, balance }) => ({ at, value: balance }));
  const chart = timeChart({
    id: 'balance-chart',
    title: 'Hbar, after each transfer',
    points,
    end: now > points.at(-1)!.at ? now : points.at(-1)!.at,
    shape: 'step',
    format: (value) => hbar(BigInt(value)),
    unit: 'Balance',
  });
  const note =
    isWhole && snapshots.length === 0
      ? null
      : html`<p class="faint">From ${moment(exact[0]!.at)} on after each transfer${snapshots.length > 0 ? '; before that as in balance snapshots' : '; earlier balances are not known here'}.</p>`;
  return html`${chart}${note}`;
}

const buckets = 48;

/** Points by time → fewer of them: of each part of the time the lowest, the highest and the last one. */
export function thin(points: readonly BalancePoint[]): BalancePoint[] {
  if (points.length <= 3 * buckets) return [...points];
  const start = points[0]!.at;
  const span = points.at(-1)!.at - start + 1n;
  const kept = new Set<BalancePoint>([points[0]!]);
  let at = 0;
  for (let bucket = 1n; bucket <= BigInt(buckets); bucket++) {
    const end = start + (span * bucket) / BigInt(buckets);
    const inside: BalancePoint[] = [];
    while (at < points.length && points[at]!.at < end) inside.push(points[at++]!);
    if (inside.length === 0) continue;
    kept.add(inside.reduce((low, point) => (point.balance < low.balance ? point : low)));
    kept.add(inside.reduce((high, point) => (point.balance > high.balance ? point : high)));
    kept.add(inside.at(-1)!);
  }
  return points.filter((point) => kept.has(point));
}
