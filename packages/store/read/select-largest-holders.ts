// Who holds most of a token. No index has balances in order: all holders are read where they are few, and none where
// they are many.
import type { Database } from '../../postgres/wire/database.ts';
import { columns, selectQuery } from './statement/columns.ts';

const holder = columns('token_account', { account: 'account_id', balance: 'balance' });

/**
 * Every holder of more than nothing, unordered; null = there are more than `most` relations of accounts with the token.
 */
export async function selectHoldersOfFew(db: Database, tokenId: bigint, most: number) {
  const rows = await db.query(
    selectQuery({
      name: 'select-holders-of-few',
      select: holder,
      from: 'from token_account where token_id = $1 limit $2',
      values: [tokenId, most + 1],
    }),
  );
  return rows.length > most ? null : rows.filter(({ balance }) => balance > 0n);
}
