// A part of a whole as a bar beside its number.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { formatShare } from './amounts.ts';

export function shareBar(part: bigint, whole: bigint): Markup {
  const thousandths = whole > 0n ? Number((part * 1000n) / whole) : 0;
  const wide = Math.max(0, Math.min(1000, thousandths)) / 10;
  return html`<span class="share">${formatShare(part, whole)} <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="100" height="8"/><rect class="part" width="${wide}" height="8"/></svg></span>`;
}
