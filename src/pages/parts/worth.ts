// Hbar in US dollars, by the rate that was in force when it moved and by the one that is now.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { Rate } from '../../ledger/network/network.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatDollars, rateAt, toDollars } from './dollars.ts';

/** null = no such rate is stored. */
export type Rates = { past: Rate | null; now: Rate | null };

/** `moment`: consensus time, ns. At most one question, and none where the newest file was in force then. */
export async function findRates({ ledger, newestRate }: PageContext, moment: bigint): Promise<Rates> {
  const newest = await newestRate(ledger);
  if (newest === null) return { past: null, now: null };
  // A transaction that writes the file is itself charged by the one before.
  const isOfPast = newest.file.timestamp < moment;
  const file = isOfPast ? newest.file : await ledger.network.exchangeRate({ from: null, to: moment - 1n });
  return { past: 'missingFileId' in file ? null : rateAt(file, moment), now: rateAt(newest.file, newest.end) };
}

/** `($1.20 then, $1.50 now)`, or one where both are the same; null = no rate is stored. */
export function worth(tinybar: bigint, { past, now }: Rates): Markup | null {
  const [before, today] = [past, now].map((rate) => rate && dollarsOf(tinybar, rate));
  if (before && before === today) return html`<span class="worth">(${before})</span>`;
  const words = [before && `${before} then`, today && `${today} now`].filter((one) => one !== null);
  return words.length === 0 ? null : html`<span class="worth">(${words.join(', ')})</span>`;
}

function dollarsOf(tinybar: bigint, rate: Rate): string {
  const dollars = toDollars(tinybar, rate);
  if (dollars === 0n && tinybar !== 0n) return 'less than $0.000001';
  return formatDollars(dollars);
}
