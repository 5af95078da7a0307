// CALL and its like.

import { halts } from '../base/halt.ts';
import { toAddress } from '../base/word.ts';
import { startCall } from '../calls/start-call.ts';
import { canSend, isSystemAccount } from '../calls/transfer.ts';
import type { ActionOperation } from '../frame/action.ts';
import { type Frame, noBytes } from '../frame/frame.ts';
import { callableGas, useGas } from '../frame/gas.ts';
import type { Machine } from '../frame/machine.ts';
import { lengthOf, reserve, viewOf } from '../frame/memory.ts';
import { limits, prices } from '../rules/gas-prices.ts';
import { isEmpty } from './accounts.ts';
import { type Handler, opcode } from './opcode.ts';

/** What an operation takes from the stack: gas, address, value if it has one, input, output. */
function callOf(operation: ActionOperation): Handler {
  const hasValue = operation === 'CALL' || operation === 'CALLCODE';
  const sends = operation === 'CALL';
  const keepsCaller = operation === 'DELEGATECALL';
  const keepsAccount = keepsCaller || operation === 'CALLCODE';
  const items = hasValue ? 7 : 6;
  return (frame, machine) => {
    const { stack, account } = frame;
    const { world } = machine;
    frame.size -= items;
    const at = frame.size;
    const value = hasValue ? stack[at + 4]! : 0n;
    if (sends && value > 0n && frame.isStatic) throw halts.staticWrite;
    const codeAddress = toAddress(stack[at + items - 2]!);
    const inputLength = lengthOf(stack[at + 2]!);
    const outputLength = lengthOf(stack[at]!);
    const inputStart = reserve(frame, machine, stack[at + 3]!, stack[at + 2]!);
    const outputStart = reserve(frame, machine, stack[at + 1]!, stack[at]!);
    payAccess(frame, machine, codeAddress, value, sends);
    if (machine.rules.addresses.missingHalts) requireCallee(machine, codeAddress, sends && value > 0n);

    const available = callableGas(frame.gas);
    const asked = stack[at + items - 1]!;
    let gas = asked > available ? available : Number(asked);
    frame.gas -= gas;
    if (value > 0n) gas += prices.callStipend;
    frame.returnData = noBytes;
    if (frame.depth >= limits.depth || (value > 0n && !canSend(account, value, machine))) {
      frame.gas += gas;
      stack[frame.size++] = 0n;
      return;
    }
    startCall(machine, {
      operation,
      parent: frame,
      codeAddress,
      recipient: keepsAccount ? account : world.account(codeAddress),
      caller: keepsCaller ? frame.caller : account.address,
      sender: account,
      value: keepsCaller ? frame.value : value,
      sends,
      data: inputLength === 0 ? noBytes : viewOf(frame, inputStart, inputLength),
      gas,
      isStatic: frame.isStatic || operation === 'STATICCALL',
      outputStart,
      outputLength,
    });
  };
}

/** EIP-2929, EIP-7702, and what a value costs. */
function payAccess(frame: Frame, { world, rules }: Machine, address: bigint, value: bigint, sends: boolean): void {
  let gas: number = world.warm(address) ? prices.coldAccount : prices.warmRead;
  if (value > 0n) gas += prices.callValue;
  useGas(frame, gas);
  const callee = world.account(address);
  if (sends && value > 0n && (!callee.exists || isEmpty(callee))) useGas(frame, prices.newAccount);
  const { delegate } = callee.code;
  if (delegate !== null && rules.fork.delegates) {
    useGas(frame, world.warm(delegate) ? prices.coldAccount : prices.warmRead);
  }
}

/** Of versions in which a call of a missing account halts. */
function requireCallee(machine: Machine, address: bigint, sendsValue: boolean): void {
  const { world, rules, systemContracts, precompiles } = machine;
  if (world.account(address).exists || isSystemAccount(address, machine)) return;
  if (systemContracts.has(address) || precompiles.has(address)) return;
  if (sendsValue && rules.addresses.createsLazily && address > 0xffffffffffffffffn) return;
  throw halts.missingAddress;
}

export const calls = [
  opcode(0xf1, 'CALL', 7, 1, 0, callOf('CALL')),
  opcode(0xf2, 'CALLCODE', 7, 1, 0, callOf('CALLCODE')),
  opcode(0xf4, 'DELEGATECALL', 6, 1, 0, callOf('DELEGATECALL')),
  opcode(0xfa, 'STATICCALL', 6, 1, 0, callOf('STATICCALL')),
];
