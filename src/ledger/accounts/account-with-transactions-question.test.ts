// A block is committed between the two queries: either both results include it or neither does.
import { expect, it } from 'vitest';
import { anyRange } from '../../../packages/kit/range.ts';
import type { LedgerTransaction } from '../transactions/transaction.ts';
import type { AccountTransactionsQuery } from './account.ts';
import { createAccountWithTransactionsQuestion } from './account-with-transactions-question.ts';
import type { Account } from './to-account.ts';

/** One transaction in each of these blocks, at the block's end. */
const committed = [10n, 20n, 30n];

function toPage(query: AccountTransactionsQuery, lastBlockEnd: bigint | null) {
  const seen = committed.filter((end) => lastBlockEnd !== null && end <= lastBlockEnd);
  const times = seen.filter((time) => query.timestamp.to === null || time <= query.timestamp.to);
  const items = times.map((consensusTimestamp) => ({ consensusTimestamp }) as LedgerTransaction);
  return { transactions: { items, next: null }, lastBlockEnd };
}

it.each([
  ['of one block', 20n, 20n],
  ['if the account was read later', 20n, 10n],
  ['if the account was read first', 10n, 20n],
  ['if the transactions were read before the first block', 10n, null],
  ['if the account was read before the first block', null, 10n],
  ['of nothing', null, null],
])('account and transactions are of one block %s', async (_case, accountSeenWith, pageSeenWith) => {
  const looks = [pageSeenWith, 30n];
  const ask = createAccountWithTransactionsQuestion({
    account: async () => ({ account: {} as Account, lastBlockEnd: accountSeenWith }),
    transactions: async (query) => toPage(query, looks.shift()!),
  });
  const query = { accountId: 1n, timestamp: anyRange, types: null, order: 'asc', limit: 25 } as const;
  const found = await ask({ id: 1n, timestamp: null, tokenBalanceLimit: 1 }, query);
  expect(found!.transactions.items.map((item) => item.consensusTimestamp)).toEqual(
    committed.filter((end) => accountSeenWith !== null && end <= accountSeenWith),
  );
});
