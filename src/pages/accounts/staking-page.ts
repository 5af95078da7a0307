// `/{network}/account/:accountId/rewards`: the staking rewards that were paid to an account.
import { html } from '../../../packages/kit/markup.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { listStakingRewards } from '../../resources/accounts/list-staking-rewards.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import { type Links, link } from '../page/links.ts';
import { formatPlainFraction, hbar } from '../parts/amounts.ts';
import { section } from '../parts/section.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { stakingFacts } from './account-facts.ts';
import { accountHeading } from './account-heading.ts';
import { accountParams, findAccount } from './find-account.ts';

type Reward = ItemOf<typeof listStakingRewards>;

function rewardColumns(links: Links): readonly Column<Reward>[] {
  return [
    {
      name: 'Time',
      narrow: 'end',
      show: ({ consensusTimestamp }) => moment(consensusTimestamp),
      fields: [{ name: 'consensus_timestamp', text: ({ consensusTimestamp }) => formatTimestamp(consensusTimestamp) }],
    },
    {
      name: 'Reward',
      narrow: 'amount',
      isNumber: true,
      show: ({ amount }) => hbar(amount),
      fields: [{ name: 'reward_hbar', text: ({ amount }) => formatPlainFraction(amount, 8) }],
    },
    {
      name: 'With transaction',
      narrow: 'title',
      show: ({ consensusTimestamp }) =>
        link(links.transactionPath(consensusTimestamp), formatTimestamp(consensusTimestamp)),
    },
  ];
}

export const stakingPage = listPage({
  path: '/account/:accountId/rewards',
  title: ({ params }) => `Staking of ${params.accountId}`,
  async heading(request, context) {
    const account = await findAccount(context, request);
    return html`${accountHeading(account, 'rewards', context.links)}
${section({ id: 'staking', title: 'Staking' }, stakingFacts(account, context))}
<h2>Rewards paid</h2>`;
  },
  endpoint: listStakingRewards,
  params: accountParams,
  items: itemsOfPage,
  columns: ({ links }) => rewardColumns(links),
  none: 'No reward has been paid to it.',
});
