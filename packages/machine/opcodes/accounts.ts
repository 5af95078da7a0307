// What a contract asks about other accounts: balance and code.

import { type Code, hashOf, noCode } from '../base/code.ts';
import { halts } from '../base/halt.ts';
import { toAddress } from '../base/word.ts';
import { isSystemAccount } from '../calls/transfer.ts';
import type { Frame } from '../frame/frame.ts';
import { useGas, wordsOf } from '../frame/gas.ts';
import type { Machine } from '../frame/machine.ts';
import { copyInto, lengthOf, reserve } from '../frame/memory.ts';
import { prices } from '../rules/gas-prices.ts';
import type { AccountState } from '../state/account-state.ts';
import { opcode } from './opcode.ts';

/** Pays for the access. Throws Halt where no account is there and the version requires one. */
function ask(frame: Frame, machine: Machine, address: bigint): AccountState {
  const { world, rules } = machine;
  const isCold = world.warm(address);
  useGas(frame, isCold ? prices.coldAccount : prices.warmRead);
  const account = world.account(address);
  if (!account.exists && rules.addresses.missingHalts && !isHidden(machine, address)) throw halts.missingAddress;
  return account;
}

/** Addresses of the system show no code. */
function isHidden({ rules }: Machine, address: bigint): boolean {
  const { lastNonUser } = rules.addresses;
  return lastNonUser !== null && address <= lastNonUser;
}

function shownCode(frame: Frame, machine: Machine, address: bigint): Code {
  const account = ask(frame, machine, address);
  return isHidden(machine, address) ? noCode : account.code;
}

function balance(frame: Frame, machine: Machine): void {
  const { stack, size } = frame;
  const address = toAddress(stack[size - 1]!);
  const account = ask(frame, machine, address);
  stack[size - 1] = isSystemAccount(address, machine) ? 0n : account.balance;
}

function extcodesize(frame: Frame, machine: Machine): void {
  const { stack, size } = frame;
  stack[size - 1] = BigInt(shownCode(frame, machine, toAddress(stack[size - 1]!)).bytes.length);
}

function extcodehash(frame: Frame, machine: Machine): void {
  const { stack, size } = frame;
  const address = toAddress(stack[size - 1]!);
  const account = ask(frame, machine, address);
  const hasHash =
    !isHidden(machine, address) && (machine.rules.addresses.emptyHasHash ? account.exists : !isEmpty(account));
  stack[size - 1] = hasHash ? hashOf(account.code) : 0n;
}

/** EIP-161. */
export function isEmpty({ nonce, balance: tinybar, code }: AccountState): boolean {
  return nonce === 0n && tinybar === 0n && code.bytes.length === 0;
}

function extcodecopy(frame: Frame, machine: Machine): void {
  const { stack } = frame;
  frame.size -= 4;
  const at = frame.size;
  const length = lengthOf(stack[at]!);
  useGas(frame, prices.copyWord * wordsOf(length));
  const start = reserve(frame, machine, stack[at + 2]!, stack[at]!);
  const code = shownCode(frame, machine, toAddress(stack[at + 3]!));
  if (length > 0) copyInto(frame, start, code.bytes, stack[at + 1]!, length);
}

export const accounts = [
  opcode(0x31, 'BALANCE', 1, 1, 0, balance),
  opcode(0x3b, 'EXTCODESIZE', 1, 1, 0, extcodesize),
  opcode(0x3c, 'EXTCODECOPY', 4, 0, 0, extcodecopy),
  opcode(0x3f, 'EXTCODEHASH', 1, 1, 0, extcodehash),
];
