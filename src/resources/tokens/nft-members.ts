// An NFT as an answer and as an item of lists (docs/reference/rest-behaviour.md, Tokens).
import { base64, boolean, entityId, int64, timestamp } from '../../api/values/kinds.ts';
import { members, nullable, value } from '../../api/values/members.ts';

export const nftKind = members(
  {
    account_id: value(entityId, 'The owner.'),
    created_timestamp: nullable(timestamp),
    delegating_spender: entityId,
    deleted: nullable(boolean, 'By itself or with its token.'),
    metadata: nullable(base64),
    modified_timestamp: timestamp,
    serial_number: int64,
    spender: entityId,
    token_id: entityId,
  },
  { name: 'Nft' },
);
