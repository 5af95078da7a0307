// `/{network}/tokens`: tokens, the newest first, by type or name, and `/{network}/tokensByName/{name}`.
import { html } from '../../../packages/kit/markup.ts';
import { listTokensInFull } from '../../resources/tokens/list-tokens.ts';
import { tokenKindTabs } from '../contract-tokens/contract-tokens-page.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import type { Links } from '../page/links.ts';
import { formatCount, tokenAmount } from '../parts/amounts.ts';
import { foreignField, idField } from '../parts/fields.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { heading } from '../parts/section.ts';
import type { Column } from '../parts/table.ts';
import { plainTokenAmount } from '../parts/token-names.ts';

type ListedToken = ItemOf<typeof listTokensInFull>;

const isUnique = ({ type }: Pick<ListedToken, 'type'>): boolean => type === 'NON_FUNGIBLE_UNIQUE';

function tokenColumns(links: Links): readonly Column<ListedToken>[] {
  return [
    {
      name: 'Id',
      narrow: 'start',
      show: ({ tokenId }) => links.token(tokenId),
      fields: [idField('token_id', ({ tokenId }) => tokenId)],
    },
    {
      name: 'Name',
      narrow: 'title',
      show: ({ name }) => foreignText(name, { max: 100 }),
      fields: [foreignField('name', ({ name }) => name)],
    },
    {
      name: 'Symbol',
      narrow: 'amount',
      show: ({ symbol }) => foreignText(symbol, { max: 40 }),
      fields: [foreignField('symbol', ({ symbol }) => symbol)],
    },
    {
      name: 'Type',
      narrow: 'end',
      show: (token) => (isUnique(token) ? 'NFTs' : 'Fungible'),
      fields: [{ name: 'type', text: ({ type }) => type }],
    },
    {
      name: 'Decimals',
      narrow: 'none',
      isNumber: true,
      show: (token) => (isUnique(token) ? null : formatCount(token.decimals)),
      fields: [{ name: 'decimals', text: ({ decimals }) => decimals.toString() }],
    },
    {
      name: 'Supply',
      narrow: 'none',
      isNumber: true,
      show: ({ totalSupply, decimals }) => tokenAmount(totalSupply, decimals),
      fields: [
        {
          name: 'total_supply',
          text: ({ totalSupply, decimals }) => plainTokenAmount(totalSupply, decimals),
        },
      ],
    },
  ];
}

export const tokensPage = listPage({
  path: '/tokens',
  title: () => 'Tokens',
  heading: (_request, { links }) => html`<h1>Tokens</h1>\n${tokenKindTabs(links, null)}`,
  endpoint: listTokensInFull,
  items: itemsOfPage,
  columns: ({ links }) => tokenColumns(links),
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
  columns: ({ links }) => tokenColumns(links),
  none: 'No token has this in its name.',
  order: 'desc',
});
