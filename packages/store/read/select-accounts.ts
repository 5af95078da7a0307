// A page of current accounts and contracts.
import type { Database } from '../../postgres/wire/database.ts';
import { type PageOfAccountsFilter, selectPageOfAccounts } from './page-of-accounts.ts';
import {
  entityColumns,
  isNotInvented,
  type StoredAccountRow,
  storedAccount,
  tokensOfAccount,
} from './select-account.ts';
import { selectAll } from './statement/columns.ts';

export type AccountsFilter = PageOfAccountsFilter & {
  /** Whether token balances are read, and the treasury that the mirror node makes up is omitted. */
  withBalance: boolean;
  /** Longest list of token balances of one account (`--listed-token-balance-limit`). */
  tokenBalanceLimit: number;
};

/** `tokens`: in the order of the page; absent if they are not read. */
export function selectAccounts(
  db: Database,
  filter: AccountsFilter,
): Promise<(StoredAccountRow & { tokens?: Buffer | null })[]> {
  const { order, withBalance, tokenBalanceLimit } = filter;
  const query = { name: 'select-accounts', reads: entityColumns, isStakingJoined: true };
  if (!withBalance) return selectPageOfAccounts(db, filter, { ...query, shape: '', select: storedAccount });
  return selectPageOfAccounts(db, filter, {
    ...query,
    shape: `${tokenBalanceLimit}`,
    select: selectAll(storedAccount, tokensOfAccount(db, tokenBalanceLimit, order)),
    condition: ` and ${isNotInvented}`,
  });
}
