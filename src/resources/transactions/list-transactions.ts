// GET transactions: a page of all transactions, or of those of accounts.

import { isEmptyRange } from '../../../packages/kit/range.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { pageSettledBy } from '../../api/reading/page/page-settled-by.ts';
import { closeTimestampRange } from '../../api/reading/page/timestamp-guard.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import { idRange } from '../../api/reading/value/entity-id.ts';
import { oneOfWords } from '../../api/reading/value/one-of-words.ts';
import { timestampText } from '../../api/reading/value/text-kinds.ts';
import { transactionTypes } from '../../api/reading/value/transaction-types.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { emptyPage, type Page } from '../../ledger/question/page.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { transactionKind } from './transaction-members.ts';

type Moved = 'credit' | 'debit';
const moved: Readonly<Record<Moved, Moved>> = { credit: 'credit', debit: 'debit' };

export const listTransactions = endpoint({
  path: '/api/v1/transactions',
  id: 'listTransactions',
  tag: 'Transactions',
  summary: 'Transactions with their transfers',
  query: {
    'account.id': idRange(
      'Id of an account that paid, or took part in a transfer. Several exact ids are alternatives; all other conditions must hold.',
      { form: 'entity', kind: 'account', alternatives: true },
    ),
    ...page({ order: 'desc', by: 'consensus timestamp' }),
    result: oneOfWords({
      kind: 'result',
      description: 'Only transactions that succeeded, or only those that failed.',
      words: { success: true, fail: false },
      collect: (values) => values.at(-1) ?? null,
    }),
    timestamp: range(timestampText, `Consensus time or bound. ${allHold}`),
    transactiontype: transactionTypes,
    type: oneOfWords({
      kind: 'transferType',
      description: 'Only transactions that credited an account, or debited one.',
      words: moved,
      collect: (values) => [...new Set(values)],
    }),
  },
  async ask({ query }, context): Promise<Page<LedgerTransaction>> {
    const { timestamp, type, order } = query;
    if (isEmptyRange(timestamp) || type.length > 1) return emptyPage;
    const bound = await closeTimestampRange(timestamp, order, context);
    const { items, next } = await context.ledger.transactions.list({
      ...query,
      accounts: query['account.id'],
      timestamp: bound.range,
      types: query.transactiontype,
      isSuccess: query.result,
      moved: type[0] ?? null,
    });
    return { items, next: next ?? bound.cut };
  },
  next: ['timestamp'],
  answer: pageOf('transactions', transactionKind, 'Transactions'),
  fresh: 2,
  // If ranges are bound, the link may depend on the clock.
  settledBy: ({ query }, found, { settings }) =>
    settings.bindTimestampRange ? null : pageSettledBy(query, found, (item) => item.consensusTimestamp),
  example: { text: 'the latest transactions' },
});
