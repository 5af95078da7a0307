import { halts } from '../base/halt.ts';
import type { Frame } from './frame.ts';

export function useGas(frame: Frame, gas: number): void {
  frame.gas -= gas;
  if (frame.gas < 0) throw halts.outOfGas;
}

/** Words of 32 bytes that `bytes` fill. */
export function wordsOf(bytes: number): number {
  return Math.ceil(bytes / 32);
}

/** What is left for a call: all but a 64th (EIP-150). */
export function callableGas(gas: number): number {
  return gas - Math.floor(gas / 64);
}
