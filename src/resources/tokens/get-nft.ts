// GET tokens/{tokenId}/nfts/{serialNumber}: one NFT. It takes no query at all, which is validated before the path.
import { endpoint, legacyReading } from '../../api/endpoint/endpoint.ts';
import { nftKind } from './nft-members.ts';
import { serialNumberInPath, tokenAbove } from './token-path.ts';

export const getNft = endpoint({
  path: '/api/v1/tokens/{tokenId}/nfts/{serialNumber}',
  id: 'getNft',
  tag: 'Tokens',
  summary: 'A single NFT',
  in: { tokenId: tokenAbove, serialNumber: serialNumberInPath },
  peer: legacyReading,
  ask: ({ path }, { ledger }) => ledger.nfts.find({ ...path, members: nftKind.members }),
  answer: nftKind,
  fresh: 1,
  example: {
    text: 'one NFT',
    find: ({ nft }) => nft && [nft.tokenId, nft.serialNumber.toString()],
    missing: 'no NFT has been minted yet',
  },
});
