// The first numbers of an account: what it has, and what that is worth.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { link } from '../page/links.ts';
import type { FoundRate } from '../page/newest-rate.ts';
import { formatCount, hbar } from '../parts/amounts.ts';
import { dollarsPerHbar, formatDollars, rateAt, toDollars } from '../parts/dollars.ts';
import { moment } from '../parts/times.ts';
import type { FoundAccount } from './find-account.ts';

export type Worth = { perHbar: bigint; dollars: bigint; writtenAt: bigint };

/** null = no rate is stored. */
export function toWorth(found: FoundRate | null, tinybar: bigint | null): Worth | null {
  const rate = found && rateAt(found.file, found.end);
  if (tinybar === null || found === null || rate === null) return null;
  const writtenAt = found.file.timestamp;
  return { perHbar: dollarsPerHbar(rate), dollars: toDollars(tinybar, rate), writtenAt };
}

/** `maxTokens`: balances of tokens that an account is found with. */
export function accountFigures(
  account: FoundAccount,
  worth: Worth | null,
  { path, maxTokens }: { path: string; maxTokens: number },
): Markup {
  const { balance, pendingReward } = account;
  const tokens = `${formatCount(balance.tokens.length)}${balance.tokens.length < maxTokens ? '' : ' or more'}`;
  return html`<dl class="figures">
${figure('Balance', balance.balance === null ? 'unknown' : hbar(balance.balance), balance.timestamp === null ? null : html`changed ${moment(balance.timestamp)}`)}
${worth ? figure('Worth', formatDollars(worth.dollars), html`at ${formatDollars(worth.perHbar)} per hbar, the network&rsquo;s rate of ${moment(worth.writtenAt)}`) : figure('Worth', 'unknown', balance.balance === null ? null : 'No exchange rate is stored.')}
${figure('Tokens', link(`${path}/assets`, tokens), 'associated')}
${figure('Pending reward', hbar(pendingReward), 'of staking')}
</dl>`;
}

function figure(name: string, value: MarkupValue, note: MarkupValue): Markup {
  return html`<div><dt>${name}</dt><dd>${value}${note === null ? null : html`<small>${note}</small>`}</dd></div>`;
}
