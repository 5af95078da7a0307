// `/{network}/token/{tokenId}/pictures`: the NFTs of a collection as a grid, the newest first. Their pictures are loaded by
// the visitor's browser, from a host that the visitor has chosen.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { getToken } from '../../resources/tokens/get-token.ts';
import { listTokenNfts } from '../../resources/tokens/list-token-nfts.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { askTogether } from '../page/ask-together.ts';
import type { Page } from '../page/page.ts';
import { exactText } from '../parts/decode-text.ts';
import { pictureGrid } from '../parts/picture.ts';
import { pager } from '../parts/table.ts';
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
      const [{ found: token }, { found, nextQuery }] = await askTogether([
        ask(getToken, { params: { tokenId } }),
        ask(listTokenNfts, { params: { tokenId }, queryText: asked }),
      ]);
      const items = found.items.map((nft) => ({
        heading: links.nft(token.tokenId, nft.serialNumber),
        text: nft.metadata === null ? null : exactText(nft.metadata),
      }));
      const { path, queryText } = request;
      const { shown, allows } = pictureGrid(items, { path, queryText, kept });
      return {
        ...(allows ? { allows } : {}),
        title: `Pictures of ${tokenId}`,
        json: pathOfJson(listTokenNfts, { tokenId }, asked),
        main: html`${tokenHeading(token, links, path)}
<div class="card">${items.length === 0 ? html`<p class="none">No NFT is here.</p>` : shown}${turnPages(request, nextQuery)}</div>`,
      };
    }),
};

/** The place that was chosen is asked on the other pages, too. */
function turnPages({ path, queryText }: { path: string; queryText: string }, nextQuery: string | null): Markup | null {
  const query = new URLSearchParams(queryText);
  const isFirst = !query.has(position);
  const next = nextQuery === null ? null : new URLSearchParams(nextQuery).get(position);
  const chosen = query.get('picture');
  const kept: Record<string, string> = chosen === null ? {} : { picture: chosen };
  const start = new URLSearchParams(kept).toString();
  const nextPage = next === null ? null : new URLSearchParams({ [position]: next, ...kept }).toString();
  return pager(path, nextPage, isFirst, start === '' ? path : `${path}?${start}`);
}
