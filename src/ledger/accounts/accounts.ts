// The questions about accounts.
import type { AccountName } from '../../store/read/select-account-ids.ts';
import type { Page } from '../question/page.ts';
import type { LedgerTransaction } from '../transactions/transaction.ts';
import type {
  Account,
  AccountQuery,
  AccountReference,
  AccountsQuery,
  AccountTransactionsQuery,
  ListedAccount,
} from './account.ts';

export type Accounts = {
  /**
   * Ids of the living entities behind an EVM address or alias, at most two (two = ambiguous).
   * `id` references come back as they are, without a look.
   */
  resolve(reference: AccountReference): Promise<bigint[]>;
  /** Whether there is an entity of this id, of whatever type, alive or not. */
  isKnown(id: bigint): Promise<boolean>;
  /**
   * What `resolve` finds and, where that is one account or contract, the same as it is now; null where it is something
   * else, or not one.
   */
  findNamed(name: AccountName, tokenBalanceLimit: number): Promise<{ ids: bigint[]; account: Account | null }>;
  /** null = no account or contract with this id (as of then). */
  find(query: AccountQuery): Promise<Account | null>;
  /** By id; deleted ones, too. */
  list(query: AccountsQuery): Promise<Page<ListedAccount>>;
  listTransactions(query: AccountTransactionsQuery): Promise<Page<LedgerTransaction>>;
  /** Both questions answered from one and the same moment: never one before and the other after a block's commit. */
  findWithTransactions(
    account: AccountQuery,
    transactions: AccountTransactionsQuery,
  ): Promise<{ account: Account; transactions: Page<LedgerTransaction> } | null>;
};
