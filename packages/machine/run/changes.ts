// What a transaction leaves behind.
import type { AccountState } from '../state/account-state.ts';
import type { World } from '../state/world.ts';
import type { AccountChange } from './transaction.ts';

export function changesOf(world: World): AccountChange[] {
  const changes: AccountChange[] = [];
  for (const account of world.accounts) {
    if (!account.exists) continue;
    const change = changeOf(account);
    if (change !== null) changes.push(change);
  }
  return changes;
}

/** null: it is as it was, and no slot of it was read. */
function changeOf(account: AccountState): AccountChange | null {
  const { facts, address, num, balance, nonce, code, isCreated, isDestroyed } = account;
  const slots = [...account.slots.values()].map(({ slot, original, value }) => ({
    slot,
    valueRead: original,
    valueWritten: value,
  }));
  const change: AccountChange = {
    address,
    num,
    kind: isCreated ? 'contract' : (facts?.kind ?? 'account'),
    isNew: facts === null,
    isDeleted: isDestroyed,
    slots,
  };
  if (balance !== (facts?.balance ?? 0n)) change.balance = balance;
  if (nonce !== (facts?.nonce ?? 0n)) change.nonce = nonce;
  // A facade is no code of the account's.
  const isFacade = change.kind === 'token' || change.kind === 'schedule';
  if (!isFacade && code.bytes !== facts?.code && code.bytes.length + (facts?.code.length ?? 0) > 0) {
    change.code = code.bytes;
  }
  const isSame = change.balance === undefined && change.nonce === undefined && change.code === undefined;
  return isSame && slots.length === 0 && !change.isNew && !isDestroyed ? null : change;
}
