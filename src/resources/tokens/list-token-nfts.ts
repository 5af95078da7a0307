// GET tokens/{tokenId}/nfts: a page of the NFTs of a token, including deleted ones.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import { accountRange } from '../../api/reading/value/entity-id.ts';
import { serialNumberText } from '../../api/reading/value/text-kinds.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { nftKind } from './nft-members.ts';
import { tokenAbove } from './token-path.ts';

export const listTokenNfts = endpoint({
  path: '/api/v1/tokens/{tokenId}/nfts',
  id: 'listTokenNfts',
  tag: 'Tokens',
  summary: 'NFTs of a token',
  in: { tokenId: tokenAbove },
  query: {
    'account.id': accountRange(`Id of the owner. ${allHold}`),
    ...page({ order: 'desc', by: 'serial number' }),
    serialnumber: range(serialNumberText, `Serial number. ${allHold}`),
  },
  ask: ({ path, query }, { ledger }) =>
    ledger.nfts.listOfToken({
      ...path,
      ...query,
      members: nftKind.members,
      account: query['account.id'],
      serialNumber: query.serialnumber,
    }),
  next: ['serialnumber'],
  answer: pageOf('nfts', nftKind, 'NftsOfToken'),
  fresh: 1,
  example: {
    text: 'the NFTs of a token',
    find: ({ nft }) => nft?.tokenId ?? null,
    missing: 'no NFT has been minted yet',
  },
});
