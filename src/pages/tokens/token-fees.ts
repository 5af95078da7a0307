// What a token asks of those who move it, in words.
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { Token } from '../../ledger/tokens/create-tokens.ts';
import type { Links } from '../page/links.ts';
import { formatCount, formatShare, hbar, tokenAmount } from '../parts/amounts.ts';

type Fees = Token['customFees'];

export function tokenFees({ customFees: fees, decimals }: Token, links: Links): Markup {
  const fixed = fees.fixedFees.map((fee) => [html`A fixed fee of ${amountOf(fee, links)}`, ...collectorOf(fee, links)]);
  const fractional = fees.fractionalFees.map((fee) => [
    html`${ratioOf(fee)} of what is moved, ${limitsOf(fee, decimals)}${fee.netOfTransfers ? ', paid by the sender on top' : ', taken from what the receiver gets'}`,
    ...collectorOf(fee, links),
  ]);
  const royalties = fees.royaltyFees.map((fee) => [
    html`A royalty of ${ratioOf(fee)} of the price${fee.fallbackFee === null ? null : html`; ${amountOf(fee.fallbackFee, links)} from the receiver where nothing is paid`}`,
    ...collectorOf(fee, links),
  ]);
  const lines = [...fixed, ...fractional, ...royalties].map((parts) => html`<li>${parts}</li>`);
  return lines.length === 0
    ? html`<p class="none">Nothing beyond the fees of the network.</p>`
    : html`<ul class="lines">${joinMarkup(lines, '\n')}</ul>`;
}

function amountOf(
  { amount, denominatingTokenId }: { amount: bigint | null; denominatingTokenId: bigint | null },
  links: Links,
): MarkupValue {
  const value = amount ?? 0n;
  // Its decimals are another token's, which is a click away.
  return denominatingTokenId === null
    ? hbar(value)
    : html`${formatCount(value)} of the smallest unit of ${links.token(denominatingTokenId)}`;
}

function ratioOf({ numerator, denominator }: { numerator: bigint; denominator: bigint }): MarkupValue {
  return html`${formatShare(numerator, denominator)} <span class="faint">(${formatCount(numerator)} of ${formatCount(denominator)})</span>`;
}

function limitsOf({ minimum, maximum }: Fees['fractionalFees'][number], decimals: bigint): string {
  const least = minimum > 0n ? `at least ${tokenAmount(minimum, decimals)}` : '';
  const most = maximum === null || maximum === 0n ? '' : `at most ${tokenAmount(maximum, decimals)}`;
  return [least, most].filter((part) => part !== '').join(', ') || 'without limits';
}

function collectorOf(
  {
    collectorAccountId,
    allCollectorsAreExempt,
  }: { collectorAccountId: bigint | null; allCollectorsAreExempt: boolean },
  links: Links,
): MarkupValue[] {
  return [
    collectorAccountId === null ? null : html`, for ${links.account(collectorAccountId)}`,
    allCollectorsAreExempt ? '; collectors of fees of this token pay none' : null,
  ];
}
