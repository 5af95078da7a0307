// Queries about accounts.

import { anyRange, everyCondition, isEmptyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectNamedAccounts } from '../../../packages/store/read/select-account.ts';
import { type AccountName, selectAccountIds } from '../../../packages/store/read/select-account-ids.ts';
import { type AccountsFilter, selectAccounts } from '../../../packages/store/read/select-accounts.ts';
import { selectEntityKind } from '../../../packages/store/read/select-contract-creation.ts';
import { askPage, type Page } from '../question/page.ts';
import type { LedgerTransaction } from '../transactions/transaction.ts';
import type { AccountQuery, AccountReference, AccountTransactionsQuery } from './account.ts';
import { createAccountQuestion } from './account-question.ts';
import { createAccountTransactionsQuestion } from './account-transactions-question.ts';
import { createAccountWithTransactionsQuestion } from './account-with-transactions-question.ts';
import { askBalanceAt, askBalanceHistory } from './balance-history-question.ts';
import { type Account, toAccount, toRowBalance } from './to-account.ts';

type Options = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  system: SystemRealm;
};

export function createAccounts({ db, clock, system }: Options) {
  const account = createAccountQuestion({ db, clock, system });
  const transactions = createAccountTransactionsQuestion({ db, system });
  return {
    /**
     * Ids of the undeleted entities with an EVM address or alias, at most two (two = ambiguous). An `id` is returned
     * without a query.
     */
    async resolve(reference: AccountReference): Promise<bigint[]> {
      return reference.kind === 'id' ? [reference.id] : selectAccountIds(db, reference);
    },
    /** Whether there is an entity of this id, of whatever type, deleted or not. */
    isKnown: async (id: bigint): Promise<boolean> => (await selectEntityKind(db, id)) !== null,
    /** Its type as the tables have it (`ACCOUNT`, `CONTRACT`, …); null = there is no entity of this id. */
    kindOf: (id: bigint) => selectEntityKind(db, id),
    /** Of its hbar; null = the current balance is unknown, or there is no such entity. */
    balanceHistory: (id: bigint) => askBalanceHistory(db, id),
    /** The balance after a moment (ns), exact; null = unknown, or too much has been moved since. */
    balanceAt: (id: bigint, moment: bigint) => askBalanceAt(db, id, moment),
    /**
     * What `resolve` finds and, if that is one account or contract, its current state; null if it is something else, or
     * not unique.
     */
    async findNamed(name: AccountName, tokenBalanceLimit: number): Promise<{ ids: bigint[]; account: Account | null }> {
      const rows = await selectNamedAccounts(db, name, tokenBalanceLimit);
      const ids = rows.map(({ id }) => id);
      const [row] = rows;
      const isOne = row?.isAccount && rows.length === 1;
      return { ids, account: isOne ? toAccount(row, toRowBalance(row, row.tokens)) : null };
    },
    /** null = no account or contract with this id (at that time). */
    find: async (query: AccountQuery): Promise<Account | null> => (await account(query))?.account ?? null,
    /** By id; including deleted ones. Every condition must hold, but several exact ids are alternatives. */
    list(query: AccountsFilter) {
      const balance = query.withBalance ? everyCondition(query.balance) : anyRange;
      return askPage(
        isEmptyRange(query.id) || isEmptyRange(balance) ? null : { ...query, balance },
        async (filter) => {
          const rows = await selectAccounts(db, filter);
          return rows.map((row) => toAccount(row, filter.withBalance ? toRowBalance(row, row.tokens ?? null) : null));
        },
        (last) => last.id,
      );
    },
    listTransactions: async (query: AccountTransactionsQuery): Promise<Page<LedgerTransaction>> =>
      (await transactions(query)).transactions,
    /** Both queries answered as of the same moment, never one before and the other after a block's commit. */
    findWithTransactions: createAccountWithTransactionsQuestion({ account, transactions }),
  };
}
