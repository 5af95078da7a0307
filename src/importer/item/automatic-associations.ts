// Accounts that a transaction associated with a token without being asked. Creating a token states its associations
// itself, in another way.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { BlockItem, HandlerContext } from '../block/item-context.ts';

export function addAutomaticAssociations(item: BlockItem, context: HandlerContext): void {
  if (item.type === typeNumber.tokenCreation) return;
  for (const { accountId, tokenId } of item.record.automaticTokenAssociations ?? []) {
    context.rows.version('token_account', {
      account_id: context.lookup.account(accountId),
      associated: true,
      automatic_association: true,
      balance: 0n,
      balance_timestamp: item.consensusTimestamp,
      created_timestamp: item.consensusTimestamp,
      timestamp_range: { from: item.consensusTimestamp, to: null },
      token_id: toEntityId(tokenId),
    });
  }
}
