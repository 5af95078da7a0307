import { halts } from '../base/halt.ts';
import type { Frame } from '../frame/frame.ts';
import { useGas } from '../frame/gas.ts';
import type { Machine } from '../frame/machine.ts';
import { prices } from '../rules/gas-prices.ts';
import type { SlotState } from '../state/account-state.ts';
import { opcode } from './opcode.ts';

function sload(frame: Frame, { world }: Machine): void {
  const { stack, size, account } = frame;
  const slot = world.slot(account, stack[size - 1]!);
  if (slot.isWarm) useGas(frame, prices.warmRead);
  else {
    useGas(frame, prices.coldSlot);
    world.warmSlot(slot);
  }
  stack[size - 1] = slot.value;
}

function sstore(frame: Frame, machine: Machine): void {
  if (frame.isStatic) throw halts.staticWrite;
  machine.tracer?.store?.(frame);
  if (frame.gas <= prices.storeReserve) throw halts.outOfGas;
  const { stack, account } = frame;
  const { world } = machine;
  frame.size -= 2;
  const at = frame.size;
  const slot = world.slot(account, stack[at + 1]!);
  const value = stack[at]!;
  let gas = storeGas(slot, value);
  if (!slot.isWarm) {
    gas += prices.coldSlot;
    world.warmSlot(slot);
  }
  useGas(frame, gas);
  if (value === slot.value) return;
  machine.refund += storeRefund(slot, value);
  world.setSlot(slot, value);
}

/** EIP-2200, with the prices of EIP-2929. */
function storeGas({ original, value: current }: SlotState, value: bigint): number {
  if (value === current || original !== current) return prices.warmRead;
  return original === 0n ? prices.setSlot : prices.resetSlot;
}

/** EIP-3529. */
function storeRefund({ original, value: current }: SlotState, value: bigint): number {
  if (original === current) return original !== 0n && value === 0n ? prices.clearRefund : 0;
  let refund = 0;
  if (original !== 0n) {
    if (current === 0n) refund -= prices.clearRefund;
    else if (value === 0n) refund += prices.clearRefund;
  }
  if (value === original) refund += (original === 0n ? prices.setSlot : prices.resetSlot) - prices.warmRead;
  return refund;
}

function tload({ stack, size, account }: Frame, { world }: Machine): void {
  stack[size - 1] = world.transient(account, stack[size - 1]!);
}

function tstore(frame: Frame, { world }: Machine): void {
  if (frame.isStatic) throw halts.staticWrite;
  const { stack, account } = frame;
  frame.size -= 2;
  const at = frame.size;
  world.setTransient(account, stack[at + 1]!, stack[at]!);
}

export const storage = [
  opcode(0x54, 'SLOAD', 1, 1, 0, sload),
  opcode(0x55, 'SSTORE', 2, 0, 0, sstore),
  opcode(0x5c, 'TLOAD', 1, 1, prices.warmRead, tload, 'cancun'),
  opcode(0x5d, 'TSTORE', 2, 0, prices.warmRead, tstore, 'cancun'),
];
