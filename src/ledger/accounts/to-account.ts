// The row of an account → the account, with what staking owes it.
import type { StoredAccountRow } from '../../store/read/select-account.ts';
import { toExpiryTimestamp } from '../question/expiry.ts';
import type { AccountBalance, ListedAccount } from './account.ts';

export function toAccount<B extends AccountBalance | null>(
  row: StoredAccountRow,
  balance: B,
): Omit<ListedAccount, 'balance'> & { balance: B } {
  const stakedNodeId = row.staked_node_id === -1n ? null : row.staked_node_id;
  return {
    id: row.id,
    alias: row.alias,
    autoRenewPeriod: row.auto_renew_period,
    balance,
    createdTimestamp: row.created_timestamp,
    declineReward: row.decline_reward,
    delegationAddress: row.delegation_address,
    deleted: row.deleted,
    ethereumNonce: row.ethereum_nonce,
    evmAddress: row.evm_address ?? (row.alias?.length === 20 ? row.alias : null),
    expiryTimestamp: toExpiryTimestamp(row, row.created_timestamp),
    key: row.key,
    maxAutomaticTokenAssociations: row.max_automatic_token_associations,
    memo: row.memo,
    pendingReward: toPendingReward(row, stakedNodeId),
    receiverSigRequired: row.receiver_sig_required,
    stakedAccountId: row.staked_account_id,
    stakedNodeId,
    stakePeriodStart: toStakePeriodStart(row, stakedNodeId),
  };
}

const nanosecondsPerDay = 86_400_000_000_000n;

/** The column counts days since 1970; −1 stands for none. */
function toStakePeriodStart(row: StoredAccountRow, stakedNodeId: bigint | null): bigint | null {
  if (stakedNodeId === null || row.stake_period_start === null || row.stake_period_start === -1n) return null;
  return row.stake_period_start * nanosecondsPerDay;
}

/** tinybar. Only who is staked to a node, wants rewards, and was so before the period that the stake row closed. */
function toPendingReward(row: StoredAccountRow, stakedNodeId: bigint | null): bigint {
  if (row.pending_reward === null || row.end_stake_period === null) return 0n;
  if (row.decline_reward || stakedNodeId === null) return 0n;
  if (row.stake_period_start !== null && row.stake_period_start >= row.end_stake_period) return 0n;
  return row.pending_reward;
}
