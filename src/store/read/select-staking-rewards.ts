// The staking rewards paid to an account, by time.
import type { Range } from '../../kit/range.ts';
import { pageReader } from './select-page.ts';
import { everyColumn } from './statement/columns.ts';

/** `timestamp`: consensus timestamps, ns. */
export const selectStakingRewards = pageReader(
  everyColumn('staking_reward_transfer', { timestamp: 'consensus_timestamp' }),
  ['timestamp'],
  ({ accountId, timestamp }: { accountId: bigint; timestamp: Range }) => ({
    name: 'select-staking-rewards',
    from: 'staking_reward_transfer where account_id = $1',
    values: [accountId],
    keys: { consensus_timestamp: timestamp },
  }),
);
