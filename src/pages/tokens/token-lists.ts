// The lists below a token: its holders, its NFTs, its transfers.

import type { Token } from '../../ledger/tokens/create-tokens.ts';
import { listLogsOfContract } from '../../resources/contracts/list-logs-of-contract.ts';
import { getToken } from '../../resources/tokens/get-token.ts';
import { listTokenBalances } from '../../resources/tokens/list-token-balances.ts';
import { listTokenNfts } from '../../resources/tokens/list-token-nfts.ts';
import { listPage } from '../lists/list-page.ts';
import type { PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { holderColumns } from './holders-section.ts';
import { nftColumns } from './nft-columns.ts';
import { tokenHeading } from './token-heading.ts';
import { tokenEventColumns } from './token-transfers.ts';

const idOf = ({ params }: PageRequest): string => params.tokenId!;

/** Throws RequestError if there is no such token. */
async function findToken(request: PageRequest, { ask }: PageContext): Promise<Token> {
  return (await ask(getToken, { params: { tokenId: idOf(request) } })).found;
}

const ofToken = {
  open: findToken,
  heading: (request: PageRequest, { links }: PageContext, token: Token) => tokenHeading(token, links, request.path),
  params: (request: PageRequest) => ({ tokenId: idOf(request) }),
};

export const tokenHoldersPage = listPage({
  ...ofToken,
  path: '/token/:tokenId/holders',
  title: (request) => `Holders of ${idOf(request)}`,
  endpoint: listTokenBalances,
  items: ({ items }) => items,
  columns: ({ links }, _request, token) => holderColumns(token, links),
  none: 'No account fits.',
});

export const tokenNftsPage = listPage({
  ...ofToken,
  path: '/token/:tokenId/nfts',
  title: (request) => `NFTs of ${idOf(request)}`,
  endpoint: listTokenNfts,
  items: ({ items }) => items,
  columns: ({ links }) => nftColumns(links),
  none: 'No NFT fits.',
});

export const tokenTransfersPage = listPage({
  ...ofToken,
  path: '/token/:tokenId/transfers',
  title: (request) => `Transfers of ${idOf(request)}`,
  endpoint: listLogsOfContract,
  params: (request) => ({ contractIdOrAddress: idOf(request) }),
  items: ({ items }) => items,
  columns: ({ links }, _request, token) => tokenEventColumns(token, links),
  none: 'No transfer fits.',
});
