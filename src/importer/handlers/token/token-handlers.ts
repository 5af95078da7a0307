import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import type { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import type { Row } from '../../../../packages/schema/tables.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { ItemContext } from '../../block/item-context.ts';
import type { FamilyHandlers } from '../../block/transaction-handler.ts';
import { customFeeRow } from '../../columns/custom-fee-row.ts';
import { deletion } from '../../columns/entity-change.ts';
import { addAssociation, freezeStatuses, kycStatuses } from '../../columns/token-association.ts';
import { tokenBurn, tokenMint, tokenUpdateNfts, tokenWipe } from './nfts-and-supply.ts';
import { tokenAirdrop, tokenCancelAirdrop, tokenClaimAirdrop } from './token-airdrop.ts';
import { tokenCreation } from './token-create.ts';
import { tokenUpdate } from './token-update.ts';

export const tokenHandlers: FamilyHandlers<'token'> = {
  tokenAirdrop,
  tokenAssociate: {
    entityId: accountOf,
    onSuccess: ({ tokens }, item, context) => {
      for (const token of tokens ?? []) {
        const association = { accountId: item.entityId, tokenId: toEntityId(token), isAutomatic: false };
        addAssociation(item, context, association);
      }
    },
  },
  tokenBurn,
  tokenCancelAirdrop,
  tokenClaimAirdrop,
  tokenCreation,
  tokenDeletion: deletion('TOKEN', ({ token }) => toEntityId(token)),
  tokenDissociate: {
    entityId: accountOf,
    onSuccess: ({ tokens }, item, context) => {
      for (const token of tokens ?? []) addHolding(item, context, token, { associated: false });
    },
  },
  // Replaces all earlier ones.
  tokenFeeScheduleUpdate: {
    entityId: ({ tokenId }) => toEntityId(tokenId),
    onSuccess: ({ customFees }, item, context) =>
      context.rows.version('custom_fee', customFeeRow(item, item.entityId, customFees ?? [], context)),
  },
  tokenFreeze: holdingChange({ freeze_status: freezeStatuses.frozen }),
  tokenGrantKyc: holdingChange({ kyc_status: kycStatuses.granted }),
  tokenMint,
  tokenPause: pauseChange('PAUSED'),
  // Only balances change.
  tokenReject: { entityId: ({ owner }, item, { lookup }) => lookup.account(owner) || item.payerAccountId },
  tokenRevokeKyc: holdingChange({ kyc_status: kycStatuses.revoked }),
  tokenUnfreeze: holdingChange({ freeze_status: freezeStatuses.unfrozen }),
  tokenUnpause: pauseChange('UNPAUSED'),
  tokenUpdate,
  tokenUpdateNfts,
  tokenWipe,
};

type AccountAndToken = { account?: proto.IAccountID | null; token?: proto.ITokenID | null };

function accountOf({ account }: AccountAndToken, _item: BlockItem, { lookup }: ItemContext): bigint {
  return lookup.account(account);
}

/** One status of one account for one token. */
function holdingChange(status: Row<'token_account'>) {
  return {
    entityId: accountOf,
    onSuccess: ({ token }: AccountAndToken, item: BlockItem, context: ItemContext) =>
      addHolding(item, context, token, status),
  };
}

/** A new version of a holding of the item's entity. */
function addHolding(
  { consensusTimestamp, entityId }: BlockItem,
  { rows }: ItemContext,
  token: proto.ITokenID | null | undefined,
  columns: Row<'token_account'>,
): void {
  rows.version('token_account', {
    account_id: entityId,
    ...columns,
    timestamp_range: { from: consensusTimestamp, to: null },
    token_id: toEntityId(token),
  });
}

function pauseChange(status: string) {
  return {
    entityId: ({ token }: AccountAndToken) => toEntityId(token),
    onSuccess: (_body: AccountAndToken, { consensusTimestamp, entityId }: BlockItem, { rows }: ItemContext) =>
      rows.version('token', {
        pause_status: status,
        timestamp_range: { from: consensusTimestamp, to: null },
        token_id: entityId,
      }),
  };
}
