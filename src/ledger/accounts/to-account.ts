// The row of an account → the account, with what staking owes it.
import type { StoredAccountRow } from '../../store/read/select-account.ts';
import { toExpiryTimestamp } from '../question/expiry.ts';
import type { AccountBalance, ListedAccount } from './account.ts';

export function toAccount<B extends AccountBalance | null>(
  row: StoredAccountRow,
  balance: B,
): Omit<ListedAccount, 'balance'> & { balance: B } {
  const stakedNodeId = row.stakedNodeId === -1n ? null : row.stakedNodeId;
  return {
    id: row.id,
    alias: row.alias,
    autoRenewPeriod: row.autoRenewPeriod,
    balance,
    createdTimestamp: row.createdTimestamp,
    declineReward: row.declineReward,
    delegationAddress: row.delegationAddress,
    deleted: row.deleted,
    ethereumNonce: row.ethereumNonce,
    evmAddress: row.evmAddress ?? (row.alias?.length === 20 ? row.alias : null),
    expiryTimestamp: toExpiryTimestamp(row, row.createdTimestamp),
    key: row.key,
    maxAutomaticTokenAssociations: row.maxAutomaticTokenAssociations,
    memo: row.memo,
    pendingReward: toPendingReward(row, stakedNodeId),
    receiverSigRequired: row.receiverSigRequired,
    stakedAccountId: row.stakedAccountId,
    stakedNodeId,
    stakePeriodStart: toStakePeriodStart(row, stakedNodeId),
  };
}

const nanosecondsPerDay = 86_400_000_000_000n;

/** The column counts days since 1970; −1 stands for none. */
function toStakePeriodStart(row: StoredAccountRow, stakedNodeId: bigint | null): bigint | null {
  if (stakedNodeId === null || row.stakePeriodStart === null || row.stakePeriodStart === -1n) return null;
  return row.stakePeriodStart * nanosecondsPerDay;
}

/** tinybar. Only who is staked to a node, wants rewards, and was so before the period that the stake row closed. */
function toPendingReward(row: StoredAccountRow, stakedNodeId: bigint | null): bigint {
  if (row.pendingReward === null || row.endStakePeriod === null) return 0n;
  if (row.declineReward || stakedNodeId === null) return 0n;
  if (row.stakePeriodStart !== null && row.stakePeriodStart >= row.endStakePeriod) return 0n;
  return row.pendingReward;
}
