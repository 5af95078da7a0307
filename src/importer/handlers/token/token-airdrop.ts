// Pending airdrops: created by an airdrop, ended by the sender (cancel) or the receiver (claim).
import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { ItemContext } from '../../block/item-context.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { addAssociation } from '../../columns/token-association.ts';

export const tokenAirdrop: TransactionHandler<'tokenAirdrop'> = {
  onSuccess: (_body, item, context) => {
    for (const { pendingAirdropId, pendingAirdropValue } of item.record.newPendingAirdrops ?? []) {
      const amount = pendingAirdropValue ? toBigInt(pendingAirdropValue.amount) : null;
      addAirdrop(item, context, pendingAirdropId, 'PENDING', amount);
    }
  },
};

export const tokenCancelAirdrop: TransactionHandler<'tokenCancelAirdrop'> = {
  onSuccess: ({ pendingAirdrops }, item, context) => {
    for (const id of pendingAirdrops ?? []) addAirdrop(item, context, id, 'CANCELLED', null);
  },
};

export const tokenClaimAirdrop: TransactionHandler<'tokenClaimAirdrop'> = {
  onSuccess: ({ pendingAirdrops }, item, context) => {
    for (const id of pendingAirdrops ?? []) {
      addAirdrop(item, context, id, 'CLAIMED', null);
      associateReceiver(item, context, id);
    }
  },
};

function addAirdrop(
  item: BlockItem,
  context: ItemContext,
  id: proto.IPendingAirdropId | null | undefined,
  state: string,
  amount: bigint | null,
): void {
  context.rows.version('token_airdrop', {
    amount,
    receiver_account_id: context.lookup.account(id?.receiverId),
    sender_account_id: context.lookup.account(id?.senderId),
    /** 0 for fungible tokens. */
    serial_number: toBigInt(id?.nonFungibleToken?.serialNumber),
    state,
    timestamp_range: { from: item.consensusTimestamp, to: null },
    token_id: tokenOf(id),
  });
}

function associateReceiver(item: BlockItem, context: ItemContext, id: proto.IPendingAirdropId): void {
  const accountId = context.lookup.account(id.receiverId);
  const tokenId = tokenOf(id);
  const known = context.rows.latest('token_account', { account_id: accountId, token_id: tokenId })?.associated;
  if (known ?? context.stored.holding(accountId, tokenId).associated) return;
  addAssociation(item, context, { accountId, tokenId, isAutomatic: false });
}

function tokenOf(id: proto.IPendingAirdropId | null | undefined): bigint {
  return toEntityId(id?.fungibleTokenType ?? id?.nonFungibleToken?.token_ID);
}
