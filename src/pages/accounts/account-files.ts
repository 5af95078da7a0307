// An account's transactions as files, and on paper.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { link } from '../page/links.ts';

const yearsShown = 3;

/** `path`: of the account. `created`: ns; null = unknown. `now`: ns. */
export function accountFiles(path: string, created: bigint | null, now: bigint): Markup {
  const last = yearOf(now);
  const first = Math.max(created === null ? last : yearOf(created), last - yearsShown + 1);
  const years = Array.from({ length: last - first + 1 }, (_, place) => last - place);
  return html`<ul class="paths">
${years.map((year) => html`<li>${link(`${path}/transactions.csv?year=${year}`, `${year}.csv`)}<span>each movement of ${year}, with the rate of its day in US dollars</span></li>`)}
<li>${link(`${path}/operations.csv`, 'operations.csv')}<span>all transactions</span></li>
<li>${link(`${path}/operations`, 'Statement')}<span>choose a time, and print</span></li>
</ul>`;
}

export function yearOf(ns: bigint): number {
  return new Date(Number(ns / 1_000_000n)).getUTCFullYear();
}
