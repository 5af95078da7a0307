// GET transactions/{transactionIdOrHash}: all transactions of one name: the signed one and its children.

import { endpoint } from '../../api/endpoint/endpoint.ts';
import { last } from '../../api/reading/query/conditions.ts';
import { flag } from '../../api/reading/value/flag.ts';
import { nonceText } from '../../api/reading/value/text-kinds.ts';
import { array, members } from '../../api/values/members.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import {
  awaitsExecution,
  type DetailedTransaction,
  isScheduling,
  maxDelay,
  maxScheduledDelay,
} from '../../ledger/transactions/create-named-transactions.ts';
import { detailedTransactionKind } from './transaction-members.ts';
import { transactionInPath } from './transaction-path.ts';

type Found = {
  transactions: readonly DetailedTransaction[];
  /** Whether a scheduled transaction may follow and was not excluded. */
  mayGrow: boolean;
};

export const getTransaction = endpoint({
  path: '/api/v1/transactions/{transactionIdOrHash}',
  id: 'getTransaction',
  tag: 'Transactions',
  summary: 'A transaction and what followed from it',
  description:
    'Oldest first. An id is shared by the transaction, its children and what it scheduled; those inside of a batch follow behind it.',
  in: { transactionIdOrHash: transactionInPath },
  query: {
    nonce: last(nonceText, 'Only the transaction with this nonce: 0 for the one that was signed.'),
    scheduled: flag('Only what was scheduled before, or only what was not.', { default: null }),
  },
  peer: { queryFirst: true },
  several: ({ path: { transactionIdOrHash: reference } }) => reference.kind === 'hash' && reference.hashes.length > 1,
  async ask({ path: { transactionIdOrHash: reference }, query }, { ledger }): Promise<Found | null> {
    if (reference.kind === 'id') {
      const transactions = await ledger.transactions.findById(reference, query);
      const mayGrow = query.scheduled === null && awaitsExecution(transactions);
      return transactions.length > 0 ? { transactions, mayGrow } : null;
    }
    for (const hash of reference.hashes) {
      const transactions = await ledger.transactions.findByHash(hash, query);
      if (transactions.length > 0) return { transactions, mayGrow: false };
    }
    return null;
  },
  answer: members({ transactions: array(detailedTransactionKind) }, { name: 'TransactionsOfOneName' }),
  fresh({ transactions, mayGrow }, { settings }) {
    if (!mayGrow) return 600;
    const since = settings.clock() - maxScheduledDelay;
    return transactions.some((item) => isScheduling(item) && item.consensusTimestamp > since) ? 5 : 600;
  },
  // A hash may be that of a later transaction; those inside a batch have other valid starts.
  settledBy({ path: { transactionIdOrHash: reference }, query }, { transactions }) {
    const isBatch = transactions.some(({ innerTransactions }) => innerTransactions.length > 0);
    if (reference.kind !== 'id' || isBatch) return null;
    const mayFollowLater = query.scheduled ?? transactions.some(isScheduling);
    return reference.validStart + (mayFollowLater ? maxScheduledDelay : maxDelay);
  },
  example: {
    text: 'one transaction',
    find: ({ transaction }) => transaction && formatTransactionId(transaction),
    missing: 'no transaction has been imported yet',
  },
});
