// The questions about accounts.
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import { selectAccountIds } from '../../store/read/select-account-ids.ts';
import { selectEntityKind } from '../../store/read/select-contract-creation.ts';
import type { Database } from '../../store/wire/database.ts';
import { createAccountListQuestion } from './account-list-question.ts';
import { createAccountQuestion } from './account-question.ts';
import { createAccountTransactionsQuestion } from './account-transactions-question.ts';
import { createAccountWithTransactionsQuestion } from './account-with-transactions-question.ts';
import type { Accounts } from './accounts.ts';
import { createNamedAccountQuestion } from './named-account-question.ts';

type Options = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  system: SystemRealm;
};

export function createAccounts({ db, clock, system }: Options): Accounts {
  const account = createAccountQuestion({ db, clock, system });
  const transactions = createAccountTransactionsQuestion({ db, system });
  return {
    resolve: async (reference) => (reference.kind === 'id' ? [reference.id] : selectAccountIds(db, reference)),
    isKnown: async (id) => (await selectEntityKind(db, id)) !== null,
    findNamed: createNamedAccountQuestion(db),
    find: async (query) => (await account(query))?.account ?? null,
    list: createAccountListQuestion(db),
    listTransactions: async (query) => (await transactions(query)).transactions,
    findWithTransactions: createAccountWithTransactionsQuestion({ account, transactions }),
  };
}
