// Hbar from one account to another, in tinybar.
import { halts } from '../base/halt.ts';
import { isLongZero } from '../base/long-zero.ts';
import type { Machine } from '../frame/machine.ts';
import type { AccountState } from '../state/account-state.ts';

export function isSystemAccount(address: bigint, { rules }: Machine): boolean {
  const { lastSystemAccount } = rules.addresses;
  return lastSystemAccount !== null && address <= lastSystemAccount;
}

/** What the account may send: plain accounts are taken to have `leastBalance` at least. */
export function canSend(account: AccountState, value: bigint, { leastBalance }: Machine): boolean {
  return value <= account.balance || (value <= leastBalance && account.facts?.kind === 'account');
}

/** To an account that is there. */
export function transfer(from: AccountState, to: AccountState, value: bigint, machine: Machine): void {
  const { world, tracer } = machine;
  if (value === 0n) return;
  tracer?.transfer?.(from, to, value, machine);
  if (from === to) return;
  world.setBalance(from, from.balance > value ? from.balance - value : 0n);
  world.setBalance(to, to.balance + value);
}

/** Sends value with a call; makes the receiver if it has to and may. Throws Halt. Returns the gas that this takes. */
export function sendValue(
  from: AccountState,
  to: AccountState,
  address: bigint,
  value: bigint,
  gas: number,
  machine: Machine,
): number {
  const { rules, world } = machine;
  let used = 0;
  if (!to.exists) {
    const { createsLazily, longZeroNeedsAccount } = rules.addresses;
    if (longZeroNeedsAccount && isLongZero(address)) throw halts.noReceiver;
    if (!createsLazily) throw halts.missingAddress;
    used = machine.lazyCreationGas;
    if (used > gas) throw halts.outOfGas;
    world.create(to);
  }
  const kind = to.facts?.kind;
  if (kind === 'token' || kind === 'schedule') throw halts.valueToToken;
  if (to.facts?.needsReceiverSignature && from !== to) throw halts.receiverSignature;
  transfer(from, to, value, machine);
  return used;
}
