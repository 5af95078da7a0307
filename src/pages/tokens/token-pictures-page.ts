// `/{network}/token/{tokenId}/pictures`: the NFTs of a collection as a grid, the newest first. Their pictures are loaded by
// the visitor's browser, from a host that the visitor has chosen.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { getToken } from '../../resources/tokens/get-token.ts';
import { listTokenNfts } from '../../resources/tokens/list-token-nfts.ts';
import { pathOfJson } from '../lists/list-page.ts';
import type { Page } from '../page/page.ts';
import { decodeText } from '../parts/decode-text.ts';
import { pictureGrid } from '../parts/picture.ts';
import { tokenHeading } from './token-heading.ts';

const perPage = 24;
const position = 'serialnumber';

export const tokenPicturesPage: Page = {
  path: '/token/:tokenId/pictures',
  ask: (request, outer) =>
    outer.snapshot(async ({ ask, links }) => {
      const { tokenId = '' } = request.params;
      const from = new URLSearchParams(request.queryText).get(position);
      const kept: Record<string, string> = from === null ? {} : { [position]: from };
      const asked = new URLSearchParams({ limit: `${perPage}`, order: 'desc', ...kept }).toString();
      const { found: token } = await ask(getToken, { params: { tokenId } });
      const { found, nextQuery } = await ask(listTokenNfts, { params: { tokenId }, queryText: asked });
      const items = found.items.map((nft) => ({
        heading: links.nft(token.tokenId, nft.serialNumber),
        text: nft.metadata === null ? null : textOf(nft.metadata),
      }));
      const { path, queryText } = request;
      const { shown, allows } = pictureGrid(items, { path, queryText, kept });
      return {
        ...(allows ? { allows } : {}),
        title: `Pictures of ${tokenId}`,
        json: pathOfJson(listTokenNfts, { tokenId }, asked),
        main: html`${tokenHeading(token, links, path)}
<div class="card">${items.length === 0 ? html`<p class="none">No NFT is here.</p>` : shown}${nextPage(request, nextQuery)}</div>`,
      };
    }),
};

/** null = the bytes are no text. */
function textOf(metadata: Uint8Array): string | null {
  return decodeText(metadata).kind === 'bytes' ? null : Buffer.from(metadata).toString('utf8');
}

/** The place that was chosen is asked on the next page, too. */
function nextPage({ path, queryText }: { path: string; queryText: string }, nextQuery: string | null): Markup | null {
  const next = nextQuery === null ? null : new URLSearchParams(nextQuery).get(position);
  if (next === null) return null;
  const chosen = new URLSearchParams(queryText).get('picture');
  const query = new URLSearchParams({ [position]: next, ...(chosen === null ? {} : { picture: chosen }) });
  return html`\n<nav class="pager" aria-label="Pages"><a rel="next" href="${path}?${query.toString()}">Next page</a></nav>`;
}
