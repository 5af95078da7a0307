// Accounts that a transaction associated with a token without being asked. Creating a token states its associations
// itself, in another way.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { addAssociation } from '../columns/token-association.ts';

export function addAutomaticAssociations(item: BlockItem, context: ItemContext): void {
  if (item.type === typeNumber.tokenCreation) return;
  for (const { accountId, tokenId } of item.record.automaticTokenAssociations ?? []) {
    const account = context.lookup.account(accountId);
    addAssociation(item, context, { accountId: account, tokenId: toEntityId(tokenId), isAutomatic: true });
  }
}
