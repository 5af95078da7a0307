// The questions that can be put to the ledger. Each is answered from PostgreSQL alone, in ledger values; what text a
// client reads is not decided here.
import type { Accounts } from './accounts/accounts.ts';
import type { ContractResults } from './contracts/create-contract-results.ts';
import type { Contracts } from './contracts/create-contracts.ts';
import type { Schedules } from './schedules/create-schedules.ts';
import type { SearchTarget, SearchTerm } from './search/search.ts';
import type { Tokens } from './tokens/create-tokens.ts';
import type { Transactions } from './transactions/create-transactions.ts';

export type Ledger = {
  accounts: Accounts;
  contracts: Contracts;
  contractResults: ContractResults;
  schedules: Schedules;
  tokens: Tokens;
  transactions: Transactions;
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
