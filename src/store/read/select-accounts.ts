// A page of accounts and contracts as they are now.
import type { Range } from '../../kit/range.ts';
import type { TextCondition } from '../../kit/text-condition.ts';
import type { Database } from '../wire/database.ts';
import { selectAll, selectQuery } from './columns.ts';
import { queryOfIds } from './distributed/query-of-ids.ts';
import { pageOfAccounts } from './page-of-accounts.ts';
import { isNotInvented, type StoredAccountRow, storedAccount, tokensOfAccount } from './select-account.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';
import { toTextPart } from './text-part.ts';
import { readTokenBalances, type TokenBalance } from './token-balances.ts';

export type AccountsFilter = {
  id: Range;
  /** Tinybar; counts only with balances. */
  balance: Range;
  publicKey: readonly TextCondition[];
  /** Whether the balances of tokens are read, and the treasury that the mirror node invents is left out. */
  withBalance: boolean;
  /** Longest list of token balances of one account (`--listed-token-balance-limit`). */
  tokenBalanceLimit: number;
  order: 'asc' | 'desc';
  limit: number;
};

/** Token balances in the order of the page; null where they are not read. */
type ListedAccountRow = StoredAccountRow & { tokens: TokenBalance[] | null };

export async function selectAccounts(db: Database, filter: AccountsFilter): Promise<ListedAccountRow[]> {
  const { order, withBalance, tokenBalanceLimit } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  const id = toRangePart(filter.id, values);
  const balance = toRangePart(filter.balance, values);
  const publicKey = toTextPart(filter.publicKey, values);
  const treasury = withBalance ? ` and ${isNotInvented}` : '';
  const conditions = `${treasury}${id.sql('id')}${balance.sql('balance')}${publicKey.sql('public_key')}`;
  const shape = `${order}${limit}-${id.code}-${balance.code}-${publicKey.code}-${withBalance ? tokenBalanceLimit : ''}`;
  const query = db.isDistributed
    ? await queryOfIds(db, { name: 'select-accounts', shape, conditions, order, limit, values })
    : {
        name: 'select-accounts',
        shape,
        from: `from ${pageOfAccounts(conditions, order, limit)} e
left join lateral (select end_stake_period, pending_reward from entity_stake where id = e.id limit 1) s on true
order by e.id ${order}`,
        values,
      };
  if (!withBalance) {
    const rows = await db.query(selectQuery({ ...query, select: storedAccount }));
    return rows.slice(0, filter.limit).map((row) => ({ ...row, tokens: null }));
  }
  const select = selectAll(storedAccount, tokensOfAccount(tokenBalanceLimit, order));
  const rows = await db.query(selectQuery({ ...query, select }));
  return rows.slice(0, filter.limit).map((row) => ({ ...row, tokens: readTokenBalances(row.tokens) }));
}
