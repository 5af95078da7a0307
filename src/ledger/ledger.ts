// The questions that can be put to the ledger. Each is answered from PostgreSQL alone, in ledger values; what text a
// client reads is not decided here.
import type { AccountName } from '../store/read/select-account-ids.ts';
import type {
  Account,
  AccountQuery,
  AccountReference,
  AccountTransactionsQuery,
  LedgerTransaction,
} from './accounts/account.ts';
import type { Contract, ContractQuery } from './contracts/contract.ts';
import type { ContractResult, ContractResultsQuery } from './contracts/contract-result.ts';
import type { Schedule, SchedulesQuery } from './schedules/schedule.ts';
import type { SearchTarget, SearchTerm } from './search/search.ts';
import type { Token, TokenQuery } from './tokens/token.ts';

export type Ledger = {
  /** null = no such token (as of then), or it has no custom fee row. */
  token(query: TokenQuery): Promise<Token | null>;
  /**
   * Ids of the living entities behind an EVM address or alias, at most two (two = ambiguous).
   * `id` references come back as they are, without a look.
   */
  findAccounts(reference: AccountReference): Promise<bigint[]>;
  /**
   * What `findAccounts` finds and, where that is one account or contract, the same as it is now; null where it is
   * something else, or not one.
   */
  namedAccount(name: AccountName, tokenBalanceLimit: number): Promise<{ ids: bigint[]; account: Account | null }>;
  /** null = no account or contract with this id (as of then). */
  account(query: AccountQuery): Promise<Account | null>;
  accountTransactions(query: AccountTransactionsQuery): Promise<LedgerTransaction[]>;
  /** Both questions answered from one and the same moment: never one before and the other after a block's commit. */
  accountWithTransactions(
    account: AccountQuery,
    transactions: AccountTransactionsQuery,
  ): Promise<{ account: Account; transactions: LedgerTransaction[] } | null>;
  /** Consensus timestamp of the oldest transaction kept here (remembered once known); null = none yet. */
  firstTransactionTimestamp(): Promise<bigint | null>;
  /** null = none, or (without timestamps) more than one. */
  contract(query: ContractQuery): Promise<Contract | null>;
  contractResults(query: ContractResultsQuery): Promise<ContractResult[]>;
  schedules(query: SchedulesQuery): Promise<Schedule[]>;
  schedule(scheduleId: bigint): Promise<Schedule | null>;
  /** Whether there is an address book: the mirror has begun. */
  isReady(): Promise<boolean>;
  /** null = nothing of that name is kept here. */
  search(term: SearchTerm): Promise<SearchTarget | null>;
  /** Ids that exist right now, for a landing page; null where there is none yet. */
  examples(): Promise<LedgerExamples>;
};

export type LedgerExamples = {
  tokenId: bigint | null;
  accountId: bigint | null;
  contractId: bigint | null;
  scheduleId: bigint | null;
  /** Latest block: number and consensus end, ns. */
  block: { number: bigint; consensusEnd: bigint } | null;
};
