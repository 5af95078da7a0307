// The ledger's questions over one database. Works on any database with the mirror node's tables: it only selects, and
// needs no index beyond theirs.
import { encodeEntityId } from '../protocol/hapi/entity-id.ts';
import { selectAccountIds } from '../store/read/select-account-ids.ts';
import {
  selectExamples,
  selectFirstTransactionTimestamp,
  selectHasAddressBook,
} from '../store/read/select-ledger-state.ts';
import type { Database } from '../store/wire/database.ts';
import { createAccountQuestion } from './accounts/account-question.ts';
import { createAccountTransactionsQuestion } from './accounts/account-transactions-question.ts';
import { createAccountWithTransactionsQuestion } from './accounts/account-with-transactions-question.ts';
import { createNamedAccountQuestion } from './accounts/named-account-question.ts';
import { askContract } from './contracts/contract-question.ts';
import { createContractResultsQuestion } from './contracts/contract-results-question.ts';
import { createGasPrices } from './contracts/gas-prices.ts';
import type { Ledger } from './ledger.ts';
import { askSchedule, askSchedules } from './schedules/schedule-question.ts';
import { askSearch } from './search/search-question.ts';
import { askToken } from './tokens/token-question.ts';

export type LedgerOptions = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  /** Shard and realm of the system accounts and files. */
  shard: bigint;
  realm: bigint;
};

export function createLedger({ db, clock, shard, realm }: LedgerOptions): Ledger {
  const system = (num: bigint) => encodeEntityId(shard, realm, num);
  const account = createAccountQuestion({ db, clock, treasuryId: system(2n) });
  const transactions = createAccountTransactionsQuestion({ db, rewardAccountId: system(800n) });
  const gasPrices = createGasPrices({ db, feeScheduleFileId: system(111n), exchangeRateFileId: system(112n) });
  let firstTransaction: bigint | null = null;

  return {
    token: (query) => askToken(db, query),
    findAccounts: async (reference) => (reference.kind === 'id' ? [reference.id] : selectAccountIds(db, reference)),
    namedAccount: createNamedAccountQuestion(db),
    account: async (query) => (await account(query))?.account ?? null,
    accountTransactions: async (query) => (await transactions(query)).transactions,
    accountWithTransactions: createAccountWithTransactionsQuestion({ account, transactions }),
    firstTransactionTimestamp: async () => {
      firstTransaction ??= await selectFirstTransactionTimestamp(db);
      return firstTransaction;
    },
    contract: (query) => askContract(db, query),
    contractResults: createContractResultsQuestion({ db, gasPrices }),
    schedules: (query) => askSchedules(db, query),
    schedule: (scheduleId) => askSchedule(db, scheduleId),
    search: (term) => askSearch(db, term),
    isReady: () => selectHasAddressBook(db),
    examples: async () => {
      const row = await selectExamples(db);
      const hasBlock = row.block_number !== null && row.block_end !== null;
      return {
        tokenId: row.token_id,
        accountId: row.account_id,
        contractId: row.contract_id,
        scheduleId: row.schedule_id,
        block: hasBlock ? { number: row.block_number!, consensusEnd: row.block_end! } : null,
      };
    },
  };
}
