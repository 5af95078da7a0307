// Who holds a token, by share.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { Token } from '../../ledger/tokens/create-tokens.ts';
import type { Links } from '../page/links.ts';
import { formatCount, formatPlainFraction, tokenAmount } from '../parts/amounts.ts';
import { badge } from '../parts/badge.ts';
import { idField } from '../parts/fields.ts';
import { shareBar } from '../parts/share-bar.ts';
import { type Column, table } from '../parts/table.ts';

type Holder = { account: bigint | null; balance: bigint };

export function holderColumns(token: Token, links: Links): readonly Column<Holder>[] {
  const { decimals, totalSupply, treasuryAccountId } = token;
  return [
    {
      name: 'Account',
      narrow: 'title',
      show: ({ account }) =>
        html`${links.account(account)}${account === treasuryAccountId ? html` ${badge('plain', 'Treasury')}` : null}`,
      fields: [idField('account', ({ account }) => account ?? 0n)],
    },
    {
      name: 'Balance',
      narrow: 'amount',
      isNumber: true,
      show: ({ balance }) => tokenAmount(balance, decimals),
      fields: [{ name: 'balance', text: ({ balance }) => formatPlainFraction(balance, Number(decimals)) }],
    },
    { name: 'Share', narrow: 'end', show: ({ balance }) => shareBar(balance, totalSupply) },
  ];
}

/** null = they are too many to be put in order. */
export function largestHolders(
  token: Token,
  found: { count: number; holders: readonly Holder[] } | null,
  links: Links,
): Markup {
  if (found === null)
    return html`<p class="none">So many accounts hold this token that they are listed by id only.</p>`;
  const words =
    found.count > found.holders.length
      ? html`<p class="faint">The ${formatCount(found.holders.length)} largest of ${formatCount(found.count)}.</p>`
      : null;
  return html`${words}${table(holderColumns(token, links), found.holders, { caption: 'Largest holders', none: 'Nobody holds any of it.' })}`;
}
