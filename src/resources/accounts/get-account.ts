// GET accounts/{idOrAliasOrEvmAddress}: one account, now or as of a timestamp range, with a page of its transactions.

import { isAnyRange, isEmptyRange } from '../../../packages/kit/range.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { closeTimestampRange } from '../../api/reading/page/timestamp-guard.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import type { RouteContext } from '../../api/reading/query/context.ts';
import { isLookedUp } from '../../api/reading/value/entity-reference.ts';
import { flag } from '../../api/reading/value/flag.ts';
import { timestampText } from '../../api/reading/value/text-kinds.ts';
import { transactionTypes } from '../../api/reading/value/transaction-types.ts';
import type { AccountReference } from '../../ledger/accounts/account.ts';
import type { Account } from '../../ledger/accounts/to-account.ts';
import { emptyPage, type Page } from '../../ledger/question/page.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { type AccountWithTransactions, createAccountKind } from './account-members.ts';
import { accountInPath, exampleOfAccount, findAccount, onlyOne } from './account-path.ts';

export const getAccount = endpoint({
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}',
  id: 'getAccount',
  tag: 'Accounts',
  summary: 'An account with its balances and a page of its transactions',
  description:
    '`limit`, `order` and `transactiontype` choose transactions; `timestamp` chooses transactions and the version of the account.',
  in: { idOrAliasOrEvmAddress: accountInPath },
  query: {
    ...page({ order: 'desc', by: 'consensus timestamp' }),
    timestamp: range(timestampText, `Time or bound. ${allHold}`),
    transactiontype: transactionTypes,
    transactions: flag('false leaves the list of transactions empty.', { default: true }),
  },
  peer: { queryFirst: true },
  // With current transactions, the account's row has the newest block, and they are read up to that.
  several: ({ path: { idOrAliasOrEvmAddress: reference }, query }) =>
    !isAnyRange(query.timestamp) || (query.transactions && isLookedUp(reference)),
  async ask({ path: { idOrAliasOrEvmAddress: reference }, query }, context): Promise<AccountWithTransactions | null> {
    const { ledger, dialect, settings } = context;
    const { timestamp, order, limit } = query;
    const isNow = isAnyRange(timestamp);
    if (!query.transactions && isNow) return withTransactions(await findCurrent(reference, context), emptyPage);
    const id = await findAccount(reference, ledger);
    if (isEmptyRange(timestamp)) throw refuse('emptyTimestampRange');
    const accountQuery = {
      id,
      timestamp: isNow ? null : timestamp,
      leavesOutMoments: dialect.leavesOutMoments,
      tokenBalanceLimit: settings.tokenBalanceLimit,
    };
    if (!query.transactions) return withTransactions(await ledger.accounts.find(accountQuery), emptyPage);
    const bound = await closeTimestampRange(timestamp, order, context);
    const found = await ledger.accounts.findWithTransactions(accountQuery, {
      accountId: id,
      timestamp: bound.range,
      types: query.transactiontype,
      order,
      limit,
    });
    if (!found) return null;
    const { account, transactions } = found;
    const next = transactions.next ?? bound.cut;
    const { createdTimestamp } = account;
    const reachesCreation = order === 'desc' && next !== null && createdTimestamp !== null && next <= createdTimestamp;
    return withTransactions(account, {
      items: transactions.items,
      next: reachesCreation && !dialect.linksBeforeCreation ? null : next,
    });
  },
  next: ['timestamp'],
  answer: createAccountKind,
  fresh: 2,
  example: exampleOfAccount('an account with its latest transactions'),
});

/** A name and its account are selected together. */
async function findCurrent(reference: AccountReference, { ledger, settings }: RouteContext): Promise<Account | null> {
  const { tokenBalanceLimit } = settings;
  if (reference.kind === 'id') return ledger.accounts.find({ id: reference.id, timestamp: null, tokenBalanceLimit });
  const { ids, account } = await ledger.accounts.findNamed(reference, tokenBalanceLimit);
  onlyOne(ids, reference);
  return account;
}

function withTransactions(
  account: Account | null,
  { items, next }: Page<LedgerTransaction>,
): AccountWithTransactions | null {
  return account && { ...account, transactions: items, next };
}
