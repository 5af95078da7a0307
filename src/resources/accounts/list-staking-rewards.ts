// GET accounts/{idOrAliasOrEvmAddress}/rewards: a page of the staking rewards paid to an account.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { range } from '../../api/reading/query/conditions.ts';
import { refuseNotEqual } from '../../api/reading/query/refuse-not-equal.ts';
import { timestampText } from '../../api/reading/value/text-kinds.ts';
import { entityId, int64, timestamp } from '../../api/values/kinds.ts';
import { from, members, value } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { listOfAccount } from './account-path.ts';

const reward = members(
  { account_id: entityId, amount: value(int64, 'Tinybar.'), timestamp: from('consensusTimestamp', timestamp) },
  { name: 'StakingReward' },
);

export const listStakingRewards = endpoint({
  ...listOfAccount('the staking rewards of an account', { known: true }),
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/rewards',
  id: 'listStakingRewards',
  summary: 'Staking rewards paid to an account',
  query: {
    ...page({ order: 'desc', by: 'consensus timestamp' }),
    timestamp: range(
      timestampText,
      'When the reward was paid. All bounds must hold; several exact times are alternatives.',
    ),
  },
  check: (_values, query) =>
    refuseNotEqual(query, 'timestamp', 'Not equals (ne) operator is not supported for timestamp'),
  ask: ({ path, query }, { ledger }) =>
    ledger.stakingRewards.list({ ...query, members: reward.members, accountId: path.idOrAliasOrEvmAddress }),
  next: ['timestamp'],
  answer: pageOf('rewards', reward, 'StakingRewards'),
  fresh: 60,
});
