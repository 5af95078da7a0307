// An account and its transactions as of one moment. Both are queried concurrently; if a block was committed in between,
// the transactions are queried again up to the block that the account's row was read with. Transactions never change,
// so the result is that of the first moment.
import type { AccountQuery, AccountTransactionsQuery } from './account.ts';
import type { AccountQuestion } from './account-question.ts';
import type { AccountTransactionsQuestion } from './account-transactions-question.ts';

type Options = { account: AccountQuestion; transactions: AccountTransactionsQuestion };

/** null = no account. */
export function createAccountWithTransactionsQuestion({ account, transactions }: Options) {
  return async (accountQuery: AccountQuery, transactionsQuery: AccountTransactionsQuery) => {
    const [answer, page] = await Promise.all([account(accountQuery), transactions(transactionsQuery)]);
    if (!answer) return null;
    // If there are none now, there were none before.
    const isEmptyLater = page.transactions.items.length === 0 && isLater(page.lastBlockEnd, answer.lastBlockEnd);
    if (isEmptyLater || page.lastBlockEnd === answer.lastBlockEnd) {
      return { account: answer.account, transactions: page.transactions };
    }
    const until = answer.lastBlockEnd ?? -1n;
    const { timestamp } = transactionsQuery;
    const to = timestamp.to !== null && timestamp.to < until ? timestamp.to : until;
    const again = await transactions({ ...transactionsQuery, timestamp: { ...timestamp, to } });
    return { account: answer.account, transactions: again.transactions };
  };
}

/** null = before the first block. */
function isLater(one: bigint | null, other: bigint | null): boolean {
  return one !== null && (other === null || one > other);
}
