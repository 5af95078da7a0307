// A single NFT as an answer and as an item of lists (docs/reference/rest-behaviour.md, Tokens).
import type { Nft } from '../../../ledger/tokens/create-nfts.ts';
import { base64, boolean, entityId, int64, timestamp } from '../../values/kinds.ts';
import { members, nullable, value } from '../../values/members.ts';

export const nftKind = members<Nft>(
  {
    account_id: value(entityId, (nft) => nft.accountId, 'The owner.'),
    created_timestamp: nullable(timestamp, (nft) => nft.createdTimestamp),
    delegating_spender: value(entityId, (nft) => nft.delegatingSpender),
    deleted: nullable(boolean, (nft) => nft.deleted, 'By itself or with its token.'),
    metadata: nullable(base64, (nft) => nft.metadata),
    modified_timestamp: value(timestamp, (nft) => nft.modifiedTimestamp),
    serial_number: value(int64, (nft) => nft.serialNumber),
    spender: value(entityId, (nft) => nft.spender),
    token_id: value(entityId, (nft) => nft.tokenId),
  },
  { name: 'Nft' },
);
