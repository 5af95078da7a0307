// What tokens and topics charged on top, and what stakers were paid.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
import type { PageRequest } from '../page/page.ts';
import { hbar } from '../parts/amounts.ts';
import { listWindow } from '../parts/list-window.ts';
import { section } from '../parts/section.ts';
import { type Column, table } from '../parts/table.ts';
import { worth } from '../parts/worth.ts';
import type { TransfersContext } from './transfers-section.ts';

type AssessedFee = DetailedTransaction['assessedFees'][number];
type Reward = DetailedTransaction['stakingRewardTransfers'][number];

/** null = there are none. */
export function customFeesSection(
  { assessedFees }: DetailedTransaction,
  request: PageRequest,
  { links, units, rates, rows }: TransfersContext,
): Markup | null {
  if (assessedFees.length === 0) return null;
  const columns: Column<AssessedFee>[] = [
    {
      name: 'Amount',
      narrow: 'amount',
      isNumber: true,
      show: ({ amount, tokenId }) =>
        tokenId === null || tokenId === 0n
          ? html`${hbar(amount)} ${worth(amount, rates)}`
          : units.amount(tokenId, amount),
    },
    { name: 'Collected by', narrow: 'title', show: ({ collectorAccountId }) => links.account(collectorAccountId) },
    {
      name: 'Paid by',
      narrow: 'start',
      narrowName: 'before',
      show: ({ effectivePayerAccountIds: payers }) => {
        const shown = (payers ?? []).slice(0, maxPayers).map((id) => html`${links.account(id)} `);
        const left = (payers ?? []).length - shown.length;
        return [...shown, left > 0 ? `and ${left} more` : null];
      },
    },
  ];
  const { shown, pager } = listWindow(assessedFees, request, { name: 'fees', id: 'custom-fees', size: rows });
  return section({ id: 'custom-fees', title: 'Custom fees' }, [
    table(columns, shown, { caption: 'Custom fees that were paid', none: 'None here.' }),
    pager,
  ]);
}

const maxPayers = 2;

/** null = there are none, or a single one, which the picture shows. */
export function rewardsSection(
  { stakingRewardTransfers }: DetailedTransaction,
  request: PageRequest,
  { links, rows }: TransfersContext,
): Markup | null {
  if (stakingRewardTransfers.length < 2) return null;
  const columns: Column<Reward>[] = [
    { name: 'Account', narrow: 'title', show: ({ accountId }) => links.account(accountId) },
    { name: 'Reward', narrow: 'amount', isNumber: true, show: ({ amount }) => hbar(amount) },
  ];
  const { shown, pager } = listWindow(stakingRewardTransfers, request, { name: 'rewards', id: 'rewards', size: rows });
  return section({ id: 'rewards', title: 'Staking rewards' }, [
    table(columns, shown, { caption: 'Staking rewards that were paid', none: 'None here.' }),
    pager,
  ]);
}
