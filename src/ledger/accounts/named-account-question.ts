// The account behind an EVM address or an alias as it is now, in one look: what `findAccounts` and `account` find in two.

import { selectNamedAccounts } from '../../store/read/select-account.ts';
import type { Database } from '../../store/wire/database.ts';
import type { Accounts } from './accounts.ts';
import { toRowBalance } from './row-balance.ts';
import { toAccount } from './to-account.ts';

export function createNamedAccountQuestion(db: Database): Accounts['findNamed'] {
  return async (name, tokenBalanceLimit) => {
    const rows = await selectNamedAccounts(db, name, tokenBalanceLimit);
    const ids = rows.map(({ id }) => id);
    const [row] = rows;
    if (!row?.isAccount || rows.length > 1) return { ids, account: null };
    return { ids, account: toAccount(row, toRowBalance(row, row.tokens)) };
  };
}
