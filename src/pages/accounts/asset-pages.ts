// `/{network}/account/:accountId/assets`: the first of everything that an account holds, and each of these lists in
// full.
import { html } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { listAccountNfts } from '../../resources/accounts/list-account-nfts.ts';
import { listAccountTokens } from '../../resources/accounts/list-account-tokens.ts';
import { listOutstandingAirdrops, listPendingAirdrops } from '../../resources/accounts/list-airdrops.ts';
import { listPage, pathOfJson } from '../lists/list-page.ts';
import { link } from '../page/links.ts';
import type { Page, PageRequest } from '../page/page.ts';
import { section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { accountHeading, headingOf } from './account-heading.ts';
import { airdropColumns, holdingColumns, nftColumns, withTokenNames } from './asset-columns.ts';
import { contractHoldings } from './contract-holdings.ts';
import { accountParams, findAccount } from './find-account.ts';

const start = '/account/:accountId';
const none = {
  tokens: 'It is associated with no token.',
  nfts: 'It owns no NFT.',
  pending: 'Nothing waits for it to claim.',
  outstanding: 'Nothing that it sent waits to be claimed.',
};
const titleOf =
  (what: string) =>
  ({ params }: PageRequest): string =>
    `${what} of ${params.accountId}`;
const airdropParams = ({ params }: PageRequest) => ({ id: params.accountId! });

export const assetsPage: Page = {
  path: `${start}/assets`,
  ask: (request, outer) =>
    outer.snapshot(async (context) => {
      const account = await findAccount(context, request);
      const id = formatEntityId(account.id);
      const params = { idOrAliasOrEvmAddress: id };
      const [tokens, nfts, pending, outstanding, ofContracts] = await Promise.all([
        context.ask(listAccountTokens, { params }),
        context.ask(listAccountNfts, { params }),
        context.ask(listPendingAirdrops, { params: { id }, queryText: 'limit=10' }),
        context.ask(listOutstandingAirdrops, { params: { id }, queryText: 'limit=10' }),
        contractHoldings(account, context),
      ]);
      const { links } = context;
      const path = links.path('account', account.id);
      const all = (end: string, found: { nextQuery: string | null }) =>
        link(`${path}/${end}`, found.nextQuery === null ? 'As a list' : 'All of them');
      return {
        title: `Assets of ${id}`,
        main: html`${accountHeading(account, 'assets', links)}
${section(
  { id: 'tokens', title: 'Tokens', beside: all('tokens', tokens) },
  table(holdingColumns(links), await withTokenNames(tokens.found, context), { caption: 'Tokens', none: none.tokens }),
)}
${section(
  { id: 'nfts', title: 'NFTs', beside: all('nfts', nfts) },
  table(nftColumns(links), await withTokenNames(nfts.found, context), { caption: 'NFTs', none: none.nfts }),
)}
${ofContracts}
${section(
  { id: 'pending', title: 'Airdrops that it may claim', beside: all('airdrops/pending', pending) },
  table(airdropColumns(links, 'sender'), await withTokenNames(pending.found, context), {
    caption: 'Airdrops that it may claim',
    none: none.pending,
  }),
)}
${section(
  { id: 'outstanding', title: 'Airdrops that it sent', beside: all('airdrops/outstanding', outstanding) },
  table(airdropColumns(links, 'receiver'), await withTokenNames(outstanding.found, context), {
    caption: 'Airdrops that it sent',
    none: none.outstanding,
  }),
)}`,
        json: pathOfJson(listAccountTokens, params),
        csv: `${path}/tokens.csv`,
      };
    }),
};

export const assetLists: readonly Page[] = [
  listPage({
    path: `${start}/tokens`,
    title: titleOf('Tokens'),
    heading: headingOf('assets', 'Tokens'),
    endpoint: listAccountTokens,
    params: accountParams,
    items: withTokenNames,
    columns: ({ links }) => holdingColumns(links),
    none: none.tokens,
  }),
  listPage({
    path: `${start}/nfts`,
    title: titleOf('NFTs'),
    heading: headingOf('assets', 'NFTs'),
    endpoint: listAccountNfts,
    params: accountParams,
    items: withTokenNames,
    columns: ({ links }) => nftColumns(links),
    none: none.nfts,
  }),
  listPage({
    path: `${start}/airdrops/pending`,
    title: titleOf('Airdrops to claim'),
    heading: headingOf('assets', 'Airdrops to claim'),
    endpoint: listPendingAirdrops,
    params: airdropParams,
    items: withTokenNames,
    columns: ({ links }) => airdropColumns(links, 'sender'),
    none: none.pending,
  }),
  listPage({
    path: `${start}/airdrops/outstanding`,
    title: titleOf('Airdrops sent'),
    heading: headingOf('assets', 'Airdrops sent'),
    endpoint: listOutstandingAirdrops,
    params: airdropParams,
    items: withTokenNames,
    columns: ({ links }) => airdropColumns(links, 'receiver'),
    none: none.outstanding,
  }),
];
