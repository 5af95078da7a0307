// The newest blocks side by side, the newest first. Where scripts run, a new one pushes the others along; without, or
// for those who want nothing to move, it stands still.
import { html, joinMarkup, type Markup } from '../../../packages/kit/markup.ts';
import type { listBlocks } from '../../resources/blocks/list-blocks.ts';
import type { ItemOf } from '../lists/list-page.ts';
import type { Links } from '../page/links.ts';
import { formatCount } from '../parts/amounts.ts';
import { timeOfDay } from '../parts/times.ts';

type Block = ItemOf<typeof listBlocks>;

/** `data-live-rows`: what is replaced as a whole when a block is new. */
export function blockStrip(blocks: readonly Block[], links: Links): Markup {
  const most = blocks.reduce((highest, { count }) => (count > highest ? count : highest), 1n);
  const tiles = blocks.map(({ number, count, consensusEnd }) => {
    const filled = Number((count * 100n) / most);
    return html`<li>${links.block(number)} <span>${formatCount(count)} <span class="faint">${count === 1n ? 'transaction' : 'transactions'}</span></span>
<svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="100" height="6"/><rect class="part" width="${filled}" height="6"/></svg>
${timeOfDay(consensusEnd)}</li>`;
  });
  return html`<ol class="strip" aria-label="Newest blocks, the newest first" data-live-rows>
${joinMarkup(tiles, '\n')}
</ol>`;
}
