// Accounts by the addresses in arguments, and addresses of accounts in results.
import { isLongZero } from '../../base/long-zero.ts';
import type { AccountState } from '../../state/account-state.ts';
import type { World } from '../../state/world.ts';

/** By EVM address or long-zero. null: nothing is there, or it is no account. */
export function accountAt(address: bigint, world: World): AccountState | null {
  if (address === 0n) return null;
  const account = world.account(address);
  if (!account.exists) return null;
  const kind = account.facts?.kind;
  return kind === 'token' || kind === 'schedule' ? null : account;
}

/** The EVM address if it has one, else long-zero; zero for no account. */
export function addressOf(num: bigint | null, world: World): bigint {
  if (num === null || num === 0n) return 0n;
  const account = world.account(num);
  return account.exists ? account.address : num;
}

/** Results that show entities by number do so whatever other address they have. */
export function longZero(num: bigint | null): bigint {
  return num ?? 0n;
}

/** A token is called by its long-zero address alone. 0n: the address can be no token's. */
export function tokenNum(address: bigint): bigint {
  return isLongZero(address) ? address : 0n;
}
