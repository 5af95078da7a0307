// The row of an account → the account, with its pending staking reward.
import type { StoredAccountRow } from '../../../packages/store/read/select-account.ts';
import { readTokenBalances, type TokenBalance } from '../../../packages/store/read/token-balances.ts';
import { toExpiryTimestamp } from '../question/expiry.ts';

export type AccountBalance = { balance: bigint | null; timestamp: bigint | null; tokens: TokenBalance[] };

export type Account = ReturnType<typeof toAccount<AccountBalance>>;

/**
 * `balance`: null if not requested. `evmAddress`: null = derived from the number. `stakedNodeId`: null if staked to no
 * node. `stakePeriodStart`: ns at the start of the UTC day; null unless staked to a node.
 */
export function toAccount<B extends AccountBalance | null>(row: StoredAccountRow, balance: B) {
  const stakedNodeId = row.stakedNodeId === -1n ? null : row.stakedNodeId;
  return {
    ...row,
    balance,
    evmAddress: row.evmAddress ?? (row.alias?.length === 20 ? row.alias : null),
    expiryTimestamp: toExpiryTimestamp(row, row.createdTimestamp),
    pendingReward: toPendingReward(row, stakedNodeId),
    stakedNodeId,
    stakePeriodStart: toStakePeriodStart(row, stakedNodeId),
  };
}

/** The balances in an account's own rows. */
export function toRowBalance(row: StoredAccountRow, tokens: Buffer | null): AccountBalance {
  return { balance: row.balance, timestamp: row.balanceTimestamp, tokens: readTokenBalances(tokens) };
}

const nanosecondsPerDay = 86_400_000_000_000n;

/** The column counts days since 1970; −1 means none. */
function toStakePeriodStart(row: StoredAccountRow, stakedNodeId: bigint | null): bigint | null {
  if (stakedNodeId === null || row.stakePeriodStart === null || row.stakePeriodStart === -1n) return null;
  return row.stakePeriodStart * nanosecondsPerDay;
}

/** tinybar. Only if staked to a node, accepting rewards, and so since before the period that the stake row closed. */
function toPendingReward(row: StoredAccountRow, stakedNodeId: bigint | null): bigint {
  if (row.pendingReward === null || row.endStakePeriod === null) return 0n;
  if (row.declineReward || stakedNodeId === null) return 0n;
  if (row.stakePeriodStart !== null && row.stakePeriodStart >= row.endStakePeriod) return 0n;
  return row.pendingReward;
}
