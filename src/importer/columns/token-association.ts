// How accounts begin to hold tokens.
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';

/** Numbers in the freeze and KYC status columns. */
export const freezeStatuses = { notApplicable: 0, frozen: 1, unfrozen: 2 } as const;
export const kycStatuses = { notApplicable: 0, granted: 1, revoked: 2 } as const;

export type Association = {
  accountId: bigint;
  tokenId: bigint;
  isAutomatic: boolean;
  /** Default: the token's. */
  freezeStatus?: number;
  kycStatus?: number;
};

/** A new association of the same account inherits nothing. */
export function addAssociation(
  { consensusTimestamp }: BlockItem,
  { rows }: Pick<ItemContext, 'rows'>,
  { accountId, tokenId, isAutomatic, freezeStatus, kycStatus }: Association,
): void {
  rows.version('token_account', {
    account_id: accountId,
    associated: true,
    automatic_association: isAutomatic,
    balance: 0n,
    balance_timestamp: consensusTimestamp,
    created_timestamp: consensusTimestamp,
    freeze_status: freezeStatus,
    kyc_status: kycStatus,
    timestamp_range: { from: consensusTimestamp, to: null },
    token_id: tokenId,
  });
}
