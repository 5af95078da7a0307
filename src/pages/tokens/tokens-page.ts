// `/{network}/tokens`: tokens, the newest first, by type or name, and `/{network}/tokensByName/{name}`.
import { html } from '../../../packages/kit/markup.ts';
import { anyRange } from '../../../packages/kit/range.ts';
import { listTokens } from '../../resources/tokens/list-tokens.ts';
import { tokenKindTabs } from '../contract-tokens/contract-tokens-page.ts';
import { type ItemOf, listPage } from '../lists/list-page.ts';
import type { Links } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount, tokenAmount } from '../parts/amounts.ts';
import { foreignField, idField } from '../parts/fields.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { heading } from '../parts/section.ts';
import type { Column } from '../parts/table.ts';
import { plainTokenAmount } from '../parts/token-names.ts';

/** `totalSupply`: undefined = it is not known. */
type ListedToken = ItemOf<typeof listTokens> & { totalSupply: bigint | undefined };

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
      show: ({ totalSupply, decimals }) => (totalSupply === undefined ? null : tokenAmount(totalSupply, decimals)),
      fields: [
        {
          name: 'total_supply',
          text: ({ totalSupply, decimals }) =>
            totalSupply === undefined ? '' : plainTokenAmount(totalSupply, decimals),
        },
      ],
    },
  ];
}

const members = ['totalSupply'] as const;

/** One question for all tokens of the page. */
async function withSupply(
  { items }: { items: readonly ItemOf<typeof listTokens>[] },
  { ledger }: PageContext,
): Promise<ListedToken[]> {
  const equals = items.map(({ tokenId }) => tokenId!);
  const found =
    equals.length === 0
      ? []
      : (
          await ledger.tokens.list({
            ...{ members, accountId: null, id: { ...anyRange, equals }, names: [], publicKey: [], type: [] },
            ...{ order: 'asc' as const, limit: equals.length },
          })
        ).items;
  const supplies = new Map(found.map(({ tokenId, totalSupply }) => [tokenId, BigInt(totalSupply)]));
  return items.map((item) => ({ ...item, totalSupply: supplies.get(item.tokenId!) }));
}

export const tokensPage = listPage({
  path: '/tokens',
  title: () => 'Tokens',
  heading: (_request, { links }) => html`<h1>Tokens</h1>\n${tokenKindTabs(links, null)}`,
  endpoint: listTokens,
  items: withSupply,
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
  endpoint: listTokens,
  fixed: ({ params }) => ({ name: params.name! }),
  items: withSupply,
  columns: ({ links }) => tokenColumns(links),
  none: 'No token has this in its name.',
  order: 'desc',
});
