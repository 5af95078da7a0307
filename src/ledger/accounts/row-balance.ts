// The balances that stand in an account's own rows.
import type { StoredAccountRow, TokenBalanceRow } from '../../store/read/select-account.ts';
import type { AccountBalance } from './account.ts';

export function toRowBalance(row: StoredAccountRow, tokens: readonly TokenBalanceRow[]): AccountBalance {
  return {
    balance: row.balance,
    timestamp: row.balance_timestamp,
    tokens: tokens.map((token) => ({ tokenId: token.token_id, balance: token.balance })),
  };
}
