// What a message to a topic costs beside the fees of the network (HIP-991).
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { Links } from '../page/links.ts';
import { formatCount, hbar } from '../parts/amounts.ts';

type Fee = { amount: bigint | null; denominatingTokenId: bigint | null; collectorAccountId: bigint | null };

export function topicFees({ customFees }: { customFees: { fixedFees: readonly Fee[] } }, links: Links): Markup {
  const { fixedFees } = customFees;
  if (fixedFees.length === 0) return html`<p class="none">Nothing beyond the fees of the network.</p>`;
  const lines = fixedFees.map(({ amount, denominatingTokenId: token, collectorAccountId: collector }) => {
    const price =
      token === null
        ? hbar(amount ?? 0n)
        : html`${formatCount(amount ?? 0n)} of the smallest unit of ${links.token(token)}`;
    return html`<li>${price}${collector === null ? null : html`, for ${links.account(collector)}`}</li>`;
  });
  return html`<ul class="lines">${lines}</ul>`;
}
