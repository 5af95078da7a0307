// GET accounts/{idOrAliasOrEvmAddress}/rewards: a page of the staking rewards that an account was paid.
import type { StakingReward } from '../../../ledger/accounts/create-staking-rewards.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { range } from '../../reading/query/conditions.ts';
import { refuseNotEqual } from '../../reading/query/refuse-not-equal.ts';
import { timestampText } from '../../reading/value/text-kinds.ts';
import { entityId, int64, timestamp } from '../../values/kinds.ts';
import { members, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { accountIdInPath } from './account-path.ts';

const reward = members<StakingReward>(
  {
    account_id: value(entityId, (item) => item.accountId),
    amount: value(int64, (item) => item.amount, 'Tinybar.'),
    timestamp: value(timestamp, (item) => item.timestamp),
  },
  { name: 'StakingReward' },
);

export const listStakingRewards = endpoint({
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/rewards',
  id: 'listStakingRewards',
  tag: 'Accounts',
  summary: 'Staking rewards that an account was paid',
  in: { idOrAliasOrEvmAddress: accountIdInPath({ known: true }) },
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
    ledger.stakingRewards.list({
      accountId: path.idOrAliasOrEvmAddress,
      timestamp: query.timestamp,
      order: query.order,
      limit: query.limit,
    }),
  next: ['timestamp'],
  answer: pageOf('rewards', reward, 'StakingRewards'),
  fresh: 60,
  example: {
    text: 'the staking rewards of an account',
    find: ({ accountId }) => accountId,
    missing: 'no account has been seen yet',
  },
});
