// All opcodes, and the table that a hard fork makes of them.
import { halts } from '../base/halt.ts';
import type { Opcodes } from '../frame/machine.ts';
import { type ForkName, forkNames, hasFork } from '../rules/forks.ts';
import { limits } from '../rules/gas-prices.ts';
import { accounts } from './accounts.ts';
import { arithmetic } from './arithmetic.ts';
import { bits } from './bits.ts';
import { calls } from './calls.ts';
import { creations } from './creations.ts';
import { environment } from './environment.ts';
import { flow } from './flow.ts';
import { logs } from './logs.ts';
import { memory } from './memory.ts';
import type { Handler, Opcode } from './opcode.ts';
import { stackOpcodes } from './stack.ts';
import { storage } from './storage.ts';

const all: readonly Opcode[] = [
  ...arithmetic,
  ...bits,
  ...environment,
  ...accounts,
  ...memory,
  ...storage,
  ...stackOpcodes,
  ...flow,
  ...logs,
  ...calls,
  ...creations,
];

const tables = new Map<ForkName, Opcodes>(forkNames.map((name) => [name, compile(name)]));

export function opcodesOf(fork: ForkName): Opcodes {
  return tables.get(fork)!;
}

const names = new Map(all.map(({ code, name }) => [code, name]));

/** As traces show it. */
export function opcodeName(code: number): string {
  return names.get(code) ?? `0x${code.toString(16)}`;
}

function compile(fork: ForkName): Opcodes {
  const handlers: Handler[] = new Array<Handler>(256).fill(unknown);
  const gas = new Uint16Array(256);
  const takes = new Uint8Array(256);
  const room = new Uint16Array(256).fill(limits.stack);
  for (const opcode of all) {
    if (!hasFork(fork, opcode.since ?? 'london')) continue;
    handlers[opcode.code] = opcode.run;
    gas[opcode.code] = opcode.gas;
    takes[opcode.code] = opcode.takes;
    room[opcode.code] = limits.stack - Math.max(0, opcode.leaves - opcode.takes);
  }
  return { handlers, gas, takes, room };
}

function unknown(): void {
  throw halts.invalidOperation;
}
