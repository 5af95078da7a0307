// The staking rewards paid to an account, by time.
import type { Range } from '../../kit/range.ts';
import { knownPageReader } from './known-page.ts';
import { everyColumn } from './statement/columns.ts';

/** `timestamp`: consensus timestamps, ns. null = the account is unknown. */
export const selectStakingRewards = knownPageReader(
  everyColumn('staking_reward_transfer'),
  ['consensusTimestamp'],
  ({ accountId, timestamp }: { accountId: bigint; timestamp: Range }) => ({
    name: 'select-staking-rewards',
    from: 'staking_reward_transfer',
    owner: 'account_id',
    values: [accountId],
    keys: { consensus_timestamp: timestamp },
  }),
);
