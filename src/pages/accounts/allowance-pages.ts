// `/{network}/account/:accountId/allowances`: who may spend what of an account, and each of these lists in full.
import { html } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { listAccountNfts } from '../../resources/accounts/list-account-nfts.ts';
import { listCryptoAllowances, listTokenAllowances } from '../../resources/accounts/list-allowances.ts';
import { listNftAllowances } from '../../resources/accounts/list-nft-allowances.ts';
import { type ItemOf, itemsOfPage, listPage, pathOfJson } from '../lists/list-page.ts';
import { type Links, link } from '../page/links.ts';
import type { Page, PageRequest } from '../page/page.ts';
import { formatPlainFraction, hbar } from '../parts/amounts.ts';
import { idField } from '../parts/fields.ts';
import { section } from '../parts/section.ts';
import { type Column, table } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { amountOfToken, plainTokenAmount } from '../parts/token-names.ts';
import { accountHeading, headingOf } from './account-heading.ts';
import { type Named, nftColumns, tokenColumnsOf, withTokenNames } from './asset-columns.ts';
import { accountParams, findAccount } from './find-account.ts';

type Allowance = { spender: bigint | null; timestamp: { from: bigint | null } };
type CryptoAllowance = ItemOf<typeof listCryptoAllowances>;
type TokenAllowance = Named<ItemOf<typeof listTokenAllowances>>;
type NftAllowance = Named<ItemOf<typeof listNftAllowances>>;

const spender: Column<Allowance> = {
  name: 'Who may spend',
  narrow: 'title',
  show: () => null,
  fields: [idField('spender', (item) => item.spender ?? 0n)],
};
const spenderColumn = (links: Links): Column<Allowance> => ({
  ...spender,
  show: (item) => links.account(item.spender),
});
const since: Column<Allowance> = {
  name: 'Since',
  narrow: 'end',
  show: ({ timestamp }) => (timestamp.from === null ? null : moment(timestamp.from)),
  fields: [
    { name: 'since', text: ({ timestamp }) => (timestamp.from === null ? '' : formatTimestamp(timestamp.from)) },
  ],
};

function cryptoColumns(links: Links): readonly Column<CryptoAllowance>[] {
  return [
    spenderColumn(links),
    {
      name: 'Left',
      narrow: 'amount',
      isNumber: true,
      show: ({ amount }) => hbar(amount),
      fields: [{ name: 'left_hbar', text: ({ amount }) => formatPlainFraction(amount, 8) }],
    },
    {
      name: 'Granted',
      narrow: 'start',
      narrowName: 'before',
      isNumber: true,
      show: ({ amountGranted }) => (amountGranted === null ? null : hbar(amountGranted)),
      fields: [
        {
          name: 'granted_hbar',
          text: ({ amountGranted }) => (amountGranted === null ? '' : formatPlainFraction(amountGranted, 8)),
        },
      ],
    },
    since,
  ];
}

function tokenColumns(links: Links): readonly Column<TokenAllowance>[] {
  const plain = ({ tokenId, tokenNames }: TokenAllowance, amount: bigint): string =>
    plainTokenAmount(amount, tokenNames.get(tokenId ?? 0n)?.decimals ?? 0n);
  return [
    spenderColumn(links),
    ...tokenColumnsOf(links, { id: 'none', name: 'below', symbol: 'none' }),
    {
      name: 'Left',
      narrow: 'amount',
      isNumber: true,
      show: ({ tokenId, amount, tokenNames }) => amountOfToken(tokenId ?? 0n, amount, tokenNames),
      fields: [{ name: 'left', text: (item) => plain(item, item.amount) }],
    },
    {
      name: 'Granted',
      narrow: 'start',
      narrowName: 'before',
      isNumber: true,
      show: ({ tokenId, amountGranted, tokenNames }) =>
        amountGranted === null ? null : amountOfToken(tokenId ?? 0n, amountGranted, tokenNames),
      fields: [
        { name: 'granted', text: (item) => (item.amountGranted === null ? '' : plain(item, item.amountGranted)) },
      ],
    },
    since,
  ];
}

function nftAllowanceColumns(links: Links): readonly Column<NftAllowance>[] {
  return [spenderColumn(links), ...tokenColumnsOf(links, { id: 'start', name: 'amount', symbol: 'none' }), since];
}

const start = '/account/:accountId';
const none = {
  crypto: 'Nobody else may spend its hbar.',
  tokens: 'Nobody else may spend its tokens.',
  nfts: 'Nobody else may spend all its NFTs of a token.',
  serials: 'Nobody else may spend single NFTs of it.',
};
const ofSingle = 'spender.id=gte:0.0.1';

export const allowancesPage: Page = {
  path: `${start}/allowances`,
  ask: (request, outer) =>
    outer.snapshot(async (context) => {
      const account = await findAccount(context, request);
      const id = formatEntityId(account.id);
      const params = { idOrAliasOrEvmAddress: id };
      const [crypto, tokens, nfts, serials] = await Promise.all([
        context.ask(listCryptoAllowances, { params }),
        context.ask(listTokenAllowances, { params }),
        context.ask(listNftAllowances, { params: { id } }),
        context.ask(listAccountNfts, { params, queryText: ofSingle }),
      ]);
      const { links } = context;
      const path = links.path('account', account.id);
      const all = (end: string, found: { nextQuery: string | null }) =>
        link(`${path}/${end}`, found.nextQuery === null ? 'As a list' : 'All of them');
      return {
        title: `Allowances of ${id}`,
        main: html`${accountHeading(account, 'allowances', links)}
${section(
  { id: 'crypto', title: 'Hbar', beside: all('allowances/crypto', crypto) },
  table(cryptoColumns(links), crypto.found.items, { caption: 'Who may spend hbar', none: none.crypto }),
)}
${section(
  { id: 'tokens', title: 'Tokens', beside: all('allowances/tokens', tokens) },
  table(tokenColumns(links), await withTokenNames(tokens.found, context), {
    caption: 'Who may spend tokens',
    none: none.tokens,
  }),
)}
${section(
  { id: 'nfts', title: 'All NFTs of a token', beside: all('allowances/nfts', nfts) },
  table(nftAllowanceColumns(links), await withTokenNames(nfts.found, context), {
    caption: 'Who may spend all NFTs of a token',
    none: none.nfts,
  }),
)}
${section(
  { id: 'serials', title: 'Single NFTs', beside: all(`nfts?${ofSingle}`, serials) },
  table(nftColumns(links), await withTokenNames(serials.found, context), {
    caption: 'NFTs that others may spend',
    none: none.serials,
  }),
)}`,
        json: pathOfJson(listCryptoAllowances, params),
        csv: `${path}/allowances/crypto.csv`,
      };
    }),
};

const titleOf =
  (what: string) =>
  ({ params }: PageRequest): string =>
    `${what} of ${params.accountId}`;

export const allowanceLists: readonly Page[] = [
  listPage({
    path: `${start}/allowances/crypto`,
    title: titleOf('Hbar allowances'),
    heading: headingOf('allowances', 'Hbar allowances'),
    endpoint: listCryptoAllowances,
    params: accountParams,
    items: itemsOfPage,
    columns: ({ links }) => cryptoColumns(links),
    none: none.crypto,
  }),
  listPage({
    path: `${start}/allowances/tokens`,
    title: titleOf('Token allowances'),
    heading: headingOf('allowances', 'Token allowances'),
    endpoint: listTokenAllowances,
    params: accountParams,
    items: withTokenNames,
    columns: ({ links }) => tokenColumns(links),
    none: none.tokens,
  }),
  listPage({
    path: `${start}/allowances/nfts`,
    title: titleOf('NFT allowances'),
    heading: headingOf('allowances', 'NFT allowances'),
    endpoint: listNftAllowances,
    params: ({ params }) => ({ id: params.accountId! }),
    items: withTokenNames,
    columns: ({ links }) => nftAllowanceColumns(links),
    none: none.nfts,
  }),
];
