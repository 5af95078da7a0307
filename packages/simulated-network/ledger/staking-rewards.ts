// Rewards of accounts staked to a node. They accrue by the minute, so that short runs have them too, and are paid from
// 0.0.800 when a transaction changes the account's balance.
import { stakingRewards } from './fees.ts';
import { tinybarPerHbar } from './hapi-values.ts';
import type { Account, Ledger } from './ledger.ts';

const periodNs = 60_000_000_000n;
/** tinybar for each whole hbar and minute. */
const ratePerHbarAndPeriod = 5n;

/** Pays what these accounts have earned, up to the balance of 0.0.800. */
export function payStakingRewards(
  ledger: Ledger,
  accounts: readonly bigint[],
  now: bigint,
): { account: bigint; amount: bigint }[] {
  const paid: { account: bigint; amount: bigint }[] = [];
  for (const id of accounts) {
    const account = ledger.tables.accounts.get(id)!;
    const amount = earned(account, now);
    const pot = ledger.tables.accounts.get(stakingRewards);
    if (amount === 0n || !pot || pot.balance < amount || id === stakingRewards) continue;
    ledger.change('accounts', stakingRewards, { balance: pot.balance - amount });
    ledger.change('accounts', id, { balance: ledger.tables.accounts.get(id)!.balance + amount, rewardedUntil: now });
    paid.push({ account: id, amount });
  }
  return paid;
}

function earned(account: Account, now: bigint): bigint {
  if (account.stakedNodeId === null || account.declineReward || account.deleted) return 0n;
  const periods = (now - account.rewardedUntil) / periodNs;
  return (account.balance / tinybarPerHbar) * ratePerHbarAndPeriod * periods;
}
