// A page of accounts and contracts as they are now.
import { anyRange, everyCondition, isEmptyRange } from '../../kit/range.ts';
import { selectAccounts } from '../../store/read/select-accounts.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, toPage } from '../question/page.ts';
import type { Accounts } from './accounts.ts';
import { toRowBalance } from './row-balance.ts';
import { toAccount } from './to-account.ts';

export function createAccountListQuestion(db: Database): Accounts['list'] {
  return async (query) => {
    const balance = query.withBalance ? everyCondition(query.balance) : anyRange;
    if (isEmptyRange(query.id) || isEmptyRange(balance)) return emptyPage;
    const rows = await selectAccounts(db, { ...query, balance });
    const items = rows.map((row) => toAccount(row, row.tokens && toRowBalance(row, row.tokens)));
    return toPage(items, query.limit, (last) => last.id);
  };
}
