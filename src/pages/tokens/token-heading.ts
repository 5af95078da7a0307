// What all pages of one token begin with.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { Token } from '../../ledger/tokens/create-tokens.ts';
import type { Links } from '../page/links.ts';
import { badge } from '../parts/badge.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { heading, tabs } from '../parts/section.ts';

export function isUnique({ type }: Pick<Token, 'type'>): boolean {
  return type === 'NON_FUNGIBLE_UNIQUE';
}

/** `path`: of the page that is shown. */
export function tokenHeading(token: Token, links: Links, path: string): Markup {
  const { tokenId, name, symbol, deleted, pauseStatus } = token;
  const own = links.path('token', tokenId);
  const marks = [
    badge('plain', isUnique(token) ? 'NFTs' : 'Fungible'),
    deleted ? html` ${badge('bad', 'Deleted')}` : null,
    pauseStatus === 'PAUSED' ? html` ${badge('warn', 'Paused')}` : null,
  ];
  const shown = html`${foreignText(name, { max: 100, none: formatEntityId(tokenId) })} <span class="faint">(${foreignText(symbol, { max: 100, none: 'no symbol' })})</span>`;
  return html`${heading('Token', shown, marks)}${links.labelLine(tokenId)}
${tabs(
  'About this token',
  [
    { path: own, text: 'Overview' },
    { path: `${own}/holders`, text: 'Holders' },
    ...(isUnique(token) ? nftTabs(own) : []),
    { path: `${own}/transfers`, text: 'Transfers' },
  ],
  path,
)}`;
}

function nftTabs(own: string) {
  return [
    { path: `${own}/nfts`, text: 'NFTs' },
    { path: `${own}/pictures`, text: 'Pictures' },
  ];
}
