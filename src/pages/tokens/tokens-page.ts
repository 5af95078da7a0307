// `/{network}/tokens`: tokens, the newest first, by type or name, `/{network}/tokens/by-…` in other orders, and
// `/{network}/tokensByName/{name}`.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { CountedPlace, CountedToken } from '../../../packages/store/read/select-token-totals.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type TokenOrder, tokenOrders } from '../../ledger/tokens/create-tokens.ts';
import { listTokensInFull } from '../../resources/tokens/list-tokens.ts';
import { tokenKindTabs } from '../contract-tokens/contract-tokens-page.ts';
import { keysetList, parseInt64 } from '../contract-tokens/keyset-list.ts';
import { itemsOfPage, listPage } from '../lists/list-page.ts';
import { type Links, ofLinks } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import { formatCount, tokenAmount } from '../parts/amounts.ts';
import { foreignField, idField } from '../parts/fields.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { heading, tabs } from '../parts/section.ts';
import type { Column } from '../parts/table.ts';
import { plainTokenAmount } from '../parts/token-names.ts';

type ListedToken = Omit<CountedToken, 'tokenId' | 'type'> & { tokenId: bigint | null; type: string | null };

const isUnique = ({ type }: Pick<ListedToken, 'type'>): boolean => type === 'NON_FUNGIBLE_UNIQUE';

/** `order`: null = the newest first. */
function tokenColumns(order: TokenOrder | null): (links: Links) => readonly Column<ListedToken>[] {
  const isCounted = order === 'holders' || order === 'transfers';
  return ofLinks((links) => [
    {
      name: 'Id',
      narrow: 'start',
      show: ({ tokenId }) => links.token(tokenId),
      fields: [idField('token_id', ({ tokenId }) => tokenId)],
    },
    {
      name: 'Name',
      narrow: 'title',
      show: ({ name }) => foreignText(name ?? '', { max: 100 }),
      fields: [foreignField('name', ({ name }) => name)],
    },
    {
      name: 'Symbol',
      narrow: 'amount',
      show: ({ symbol }) => foreignText(symbol ?? '', { max: 40 }),
      fields: [foreignField('symbol', ({ symbol }) => symbol)],
    },
    {
      name: 'Type',
      // Where room is narrow, what a list is ordered by goes before.
      narrow: isCounted ? 'none' : 'end',
      show: (token) => token.type && (isUnique(token) ? 'NFTs' : 'Fungible'),
      fields: [{ name: 'type', text: ({ type }) => type ?? '' }],
    },
    {
      name: 'Decimals',
      narrow: 'none',
      isNumber: true,
      show: (token) => (isUnique(token) || token.decimals === null ? null : formatCount(token.decimals)),
      fields: [{ name: 'decimals', text: ({ decimals }) => decimals?.toString() ?? '' }],
    },
    {
      name: 'Supply',
      narrow: 'none',
      isNumber: true,
      show: ({ totalSupply, decimals }) =>
        totalSupply === null || decimals === null ? null : tokenAmount(totalSupply, decimals),
      fields: [
        {
          name: 'total_supply',
          text: ({ totalSupply, decimals }) =>
            totalSupply === null || decimals === null ? '' : plainTokenAmount(totalSupply, decimals),
        },
      ],
    },
    countColumn('Holders', 'holders', order),
    countColumn('Transfers', 'transfers', order),
  ]);
}

const newestColumns = tokenColumns(null);

function countColumn(name: string, member: 'holders' | 'transfers', order: TokenOrder | null): Column<ListedToken> {
  return {
    ...{ name, narrow: member === order ? 'end' : 'none', isNumber: true, narrowName: 'behind' },
    show: ({ [member]: count }) => count && formatCount(count),
    fields: [{ name: member, text: ({ [member]: count }) => count?.toString() ?? '' }],
  };
}

const orders = {
  transfers: { text: 'Most transfers', about: 'Tokens that transactions moved, those that most of them moved first.' },
  holders: { text: 'Most holders', about: 'Tokens that were moved, by the number of accounts that have any of them.' },
  name: { text: 'Name', about: 'Tokens by name, in any case.' },
} as const satisfies Record<TokenOrder, { text: string; about: string }>;

const pathOf = (order: TokenOrder): string => `/tokens/by-${order}`;

function orderTabs(links: Links, order: TokenOrder | null): Markup {
  const newest = `${links.start}/tokens`;
  const others = tokenOrders.map((name) => ({ path: `${links.start}${pathOf(name)}`, text: orders[name].text }));
  const all = [{ path: newest, text: 'Newest' }, ...others];
  return tabs('Order', all, order === null ? newest : `${links.start}${pathOf(order)}`);
}

/** What a database that this program did not make does without. */
function missingOrder(order: TokenOrder, { tokens }: Pick<Ledger, 'tokens'>): string {
  if (order !== 'name') return tokens.isCounted ? '' : ' This database has no such numbers.';
  const { maxNamed } = tokens;
  if (maxNamed === null) return '';
  return ` This database has no index of names: only the ${formatCount(maxNamed)} newest tokens are put in order.`;
}

/** The tokens of the token service in an order that is not that of their ids. */
export const orderedTokenPages: readonly Page[] = tokenOrders.map((order) => {
  const columns = tokenColumns(order);
  return keysetList({
    path: pathOf(order),
    title: () => `Tokens: ${orders[order].text.toLowerCase()}`,
    open: async () => null,
    heading: (_request, { links, ledger }) => html`<h1>Tokens</h1>
${tokenKindTabs(links, null)}
${orderTabs(links, order)}
<p class="lead">${orders[order].about}${missingOrder(order, ledger)}</p>`,
    find: (asked, { ledger }) => ledger.tokens.listInOrder({ by: order, ...asked }),
    format: ({ count, tokenId }: CountedPlace) => (count === null ? `${tokenId}` : `${count}-${tokenId}`),
    parse(text): CountedPlace | undefined {
      const [first, second] = text.split('-', 2);
      const tokenId = parseInt64(second ?? first);
      const count = second === undefined ? null : parseInt64(first);
      const isOfOrder = (count === null) === (order === 'name');
      return tokenId === undefined || count === undefined || !isOfOrder ? undefined : { count, tokenId };
    },
    columns: ({ links }) => columns(links),
    none: 'No token is counted yet.',
  });
});

export const tokensPage = listPage({
  path: '/tokens',
  title: () => 'Tokens',
  heading: (_request, { links }) => html`<h1>Tokens</h1>\n${tokenKindTabs(links, null)}\n${orderTabs(links, null)}`,
  endpoint: listTokensInFull,
  items: itemsOfPage,
  columns: ({ links }) => newestColumns(links),
  none: 'No token fits.',
  order: 'desc',
  filters: [
    {
      name: 'type',
      label: 'Type',
      choices: [
        ['', 'Every type'],
        ['FUNGIBLE_COMMON', 'Fungible'],
        ['NON_FUNGIBLE_UNIQUE', 'NFTs'],
      ],
    },
    { name: 'name', label: 'Part of the name', placeholder: '3 characters or more' },
    { name: 'publickey', label: 'Admin key', placeholder: '64 or 66 hexadecimal digits' },
  ],
});

export const tokensByNamePage = listPage({
  path: '/tokensByName/:name',
  title: () => 'Tokens of a name',
  heading: ({ params }) => heading('Tokens with', html`&ldquo;${foreignText(params.name!, { max: 100 })}&rdquo;`),
  endpoint: listTokensInFull,
  fixed: ({ params }) => ({ name: params.name! }),
  items: itemsOfPage,
  columns: ({ links }) => newestColumns(links),
  none: 'No token has this in its name.',
  order: 'desc',
});
