// `/{network}/token/{tokenId}/{serialNumber}`: one NFT. What its metadata names on other hosts is a link, and nothing
// more.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { Token } from '../../ledger/tokens/create-tokens.ts';
import { getNft } from '../../resources/tokens/get-nft.ts';
import { getToken } from '../../resources/tokens/get-token.ts';
import { listNftTransactions } from '../../resources/tokens/list-nft-transactions.ts';
import { type ItemOf, itemsOfPage, listPage, pathOfJson } from '../lists/list-page.ts';
import { askTogether } from '../page/ask-together.ts';
import { type Links, link, ofLinks } from '../page/links.ts';
import type { Page, PageRequest } from '../page/page.ts';
import { badge } from '../parts/badge.ts';
import { decodeText, exactText } from '../parts/decode-text.ts';
import { decodedBytes } from '../parts/decoded-bytes.ts';
import { facts } from '../parts/facts.ts';
import { findTarget, foreignLink } from '../parts/foreign-link.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { type PicturePart, picturePart } from '../parts/picture.ts';
import { heading, section } from '../parts/section.ts';
import { type Column, table } from '../parts/table.ts';
import { exactMoment, moment } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';

const brief = 10;

export const nftPage: Page = {
  path: '/token/:tokenId/:serialNumber',
  ask: (request, context) =>
    context.snapshot(async ({ ask, links }) => {
      const { tokenId = '', serialNumber = '' } = request.params;
      const params = { tokenId, serialNumber };
      const [{ found: token }, { found: nft }, { found: events }] = await askTogether([
        ask(getToken, { params: { tokenId } }),
        ask(getNft, { params }),
        ask(listNftTransactions, { params, queryText: `limit=${brief}` }),
      ]);
      const own = `${links.path('token', token.tokenId)}/${nft.serialNumber}`;
      const owner =
        nft.accountId === null ? html`<span class="faint">nobody any more</span>` : links.account(nft.accountId);
      const picture = nft.metadata === null ? null : pictureOf(nft.metadata, request);
      return {
        ...(picture?.allows ? { allows: picture.allows } : {}),
        title: `${token.name.slice(0, 60)} #${nft.serialNumber}`,
        json: pathOfJson(getNft, params),
        main: html`${nftHeading(token, nft.serialNumber, nft.deleted === true, links)}
<div class="grid">${section(
          { id: 'facts', title: 'Facts' },
          facts([
            ['Token', html`${links.token(token.tokenId)} ${foreignText(token.name)}`],
            ['Serial number', html`${nft.serialNumber}`],
            ['Owner', owner],
            ['Minted', nft.createdTimestamp === null ? null : exactMoment(nft.createdTimestamp)],
            ['Changed', exactMoment(nft.modifiedTimestamp)],
            ['May be moved by', links.account(nft.spender)],
            ['As the owner allowed', links.account(nft.delegatingSpender)],
          ]),
        )}
${section({ id: 'metadata', title: 'Metadata' }, html`${picture?.shown ?? null}${metadataOf(nft.metadata, links.start)}`)}</div>
${section(
  { id: 'transactions', title: 'Newest transactions', beside: link(`${own}/transactions`, 'All transactions') },
  html`${events.partial ? partial : null}${table(nftEventColumns(links), events.items, { caption: 'Newest transactions', none: 'No transaction is known here.' })}`,
)}`,
      };
    }),
};

const partial = html`<p class="notice">This mirror does not know the first of them.</p>`;

export const nftTransactionsPage = listPage({
  path: '/token/:tokenId/:serialNumber/transactions',
  title: ({ params }) => `Transactions of ${params.tokenId} #${params.serialNumber}`,
  endpoint: listNftTransactions,
  params: ({ params }: PageRequest) => ({ tokenId: params.tokenId!, serialNumber: params.serialNumber! }),
  items: itemsOfPage,
  columns: ({ links }) => nftEventColumns(links),
  none: 'No transaction fits.',
});

type NftEvent = ItemOf<typeof listNftTransactions>;

const nftEventColumns = ofLinks((links): readonly Column<NftEvent>[] => [
  { name: 'Id', narrow: 'below', show: (event) => links.transaction(event) },
  { name: 'Time', narrow: 'end', show: ({ consensusTimestamp }) => moment(consensusTimestamp) },
  { name: 'Type', narrow: 'title', show: ({ type }) => typeWords(type) },
  { name: 'From', narrow: 'start', show: ({ senderAccountId }) => links.account(senderAccountId) },
  { name: 'To', narrow: 'to', show: ({ receiverAccountId }) => links.account(receiverAccountId) },
]);

function nftHeading({ name, symbol, tokenId }: Token, serialNumber: bigint, isDeleted: boolean, links: Links): Markup {
  const shown = html`<a href="${links.path('token', tokenId)}">${foreignText(name, { max: 100, none: symbol.slice(0, 100) })}</a> #${serialNumber}`;
  return heading('NFT', shown, isDeleted ? badge('bad', 'Deleted') : null);
}

/** Usually an address of a file that describes it (HIP-412); on some networks the description itself. */
function metadataOf(metadata: Uint8Array | null, start: string): Markup {
  if (metadata === null || metadata.length === 0) return html`<p class="none">It has none.</p>`;
  const decoded = decodeText(metadata);
  const { kind, shown } = decodedBytes(metadata);
  if (decoded.kind === 'bytes') return html`<p class="faint">${metadata.length} bytes that are no text.</p>${shown}`;
  if (decoded.kind === 'json') {
    return html`${namedFiles(Buffer.from(metadata).toString('utf8'), start)}<p class="faint">As ${kind}, in the ledger itself:</p>${shown}`;
  }
  const isAddress = findTarget(decoded.text.trim(), start) !== null;
  return html`<p>${foreignLink(decoded.text, start)}</p>${isAddress ? unopened : null}`;
}

function pictureOf(metadata: Uint8Array, request: PageRequest): PicturePart | null {
  const text = exactText(metadata);
  return text === null ? null : picturePart(text, request);
}

const unopened = html`<p class="faint">Nothing is loaded from there before you open it.</p>`;

/** The members that HIP-412 gives to files. */
function namedFiles(text: string, start: string): Markup | null {
  const found: unknown = JSON.parse(text);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return null;
  const named = ['image', 'uri', 'animation_url', 'external_url'].flatMap((name) => {
    const value = Object.hasOwn(found, name) ? (found as Record<string, unknown>)[name] : null;
    return typeof value === 'string' ? [[name, foreignLink(value, start)] as const] : [];
  });
  return named.length === 0 ? null : facts(named);
}
