// A page of the transactions that an account paid for or took part in.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectTransactions } from '../../../packages/store/read/select-transactions.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';
import { withinClock } from '../question/within-clock.ts';
import { toTransaction } from '../transactions/to-transaction.ts';
import type { LedgerTransaction } from '../transactions/transaction.ts';
import type { AccountTransactionsQuery } from './account.ts';

/** With the consensus end (ns) of the newest block that the page was read with; null also if nothing was read. */
export type AccountTransactionsQuestion = (
  query: AccountTransactionsQuery,
) => Promise<{ transactions: Page<LedgerTransaction>; lastBlockEnd: bigint | null }>;

type Options = { db: Database; system: SystemRealm };

export function createAccountTransactionsQuestion({ db, system }: Options): AccountTransactionsQuestion {
  return async ({ accountId, ...query }) => {
    const timestamp = withinClock(query.timestamp);
    // No transaction has two timestamps.
    if (query.timestamp.equals.length > 1) return { transactions: emptyPage, lastBlockEnd: null };
    const { rows, lastBlockEnd } = await selectTransactions(db, {
      ...query,
      accounts: [accountId],
      timestamp,
      isSuccess: null,
      moved: null,
      rewardAccountId: systemEntityId('stakingRewards', system),
    });
    const items = rows.map((row) => toTransaction(row, db));
    return { transactions: toPage(items, query.limit, (last) => last.consensusTimestamp), lastBlockEnd };
  };
}
