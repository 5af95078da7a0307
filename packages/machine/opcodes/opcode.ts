import type { Frame } from '../frame/frame.ts';
import type { Machine } from '../frame/machine.ts';
import type { ForkName } from '../rules/forks.ts';

export type Handler = (frame: Frame, machine: Machine) => void;

/** Handlers take and leave items at the end of `frame.stack`; that there are enough, and room, was checked before. */
export type Opcode = {
  code: number;
  name: string;
  takes: number;
  leaves: number;
  /** Before what depends on arguments. */
  gas: number;
  run: Handler;
  since?: ForkName;
};

export function opcode(
  code: number,
  name: string,
  takes: number,
  leaves: number,
  gas: number,
  run: Handler,
  since?: ForkName,
): Opcode {
  return { code, name, takes, leaves, gas, run, since };
}

/** Prices that many opcodes share. */
export const gasOf = { base: 2, veryLow: 3, low: 5, mid: 8, high: 10 } as const;
