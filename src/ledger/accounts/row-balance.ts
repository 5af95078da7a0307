// The balances that stand in an account's own rows.
import type { StoredAccountRow } from '../../store/read/select-account.ts';
import type { TokenBalance } from '../../store/read/token-balances.ts';
import type { AccountBalance } from './account.ts';

export function toRowBalance(row: StoredAccountRow, tokens: TokenBalance[]): AccountBalance {
  return {
    balance: row.balance,
    timestamp: row.balanceTimestamp,
    tokens,
  };
}
