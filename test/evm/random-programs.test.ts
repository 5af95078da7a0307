// A part of test/evm/run-programs.ts.

import { expect, it } from 'vitest';
import { opcodeName, opcodesOf } from '../../packages/machine/opcodes/table.ts';
import type { ForkName } from '../../packages/machine/rules/forks.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { comparePrograms } from './compare-programs.ts';
import { randomWorld } from './programs.ts';

// Some seconds on a quiet machine.
it('agrees with @ethereumjs/evm on random programs', { timeout: 240_000 }, async () => {
  const count = isLong ? 2500 : 600;
  const { programs, results, logs, slots, differing } = await comparePrograms(1, count);
  expect(differing).toEqual([]);
  expect(programs).toBe(count);
  // The programs do something: a third succeed, and each other end is there.
  expect(results.success!).toBeGreaterThan(0.32 * count);
  expect(results.revert!).toBeGreaterThan(0.08 * count);
  expect(results.halt!).toBeGreaterThan(0.08 * count);
  expect(logs).toBeGreaterThan(0.4 * count);
  expect(slots).toBeGreaterThan(2 * count);
});

// Any byte is written now and then, where nothing is made ready for it; what programs.ts writes on purpose is there often.
// It counts where the fork of the program has it.
it('programs have every opcode, with what it takes', () => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= 3000; seed++) {
    const { contracts, fork } = randomWorld(seed);
    for (const { code } of contracts) countOpcodes(code, fork, counts);
  }
  const known = Array.from({ length: 256 }, (_none, code) => opcodeName(code)).filter((name) => !/^0x/.test(name));
  expect(known.filter((name) => (counts.get(name) ?? 0) < 15)).toEqual([]);
});

/** A code that no fork has. */
const unknownCode = 0x0c;

function countOpcodes(code: Uint8Array, fork: ForkName, counts: Map<string, number>): void {
  const { handlers } = opcodesOf(fork);
  for (let at = 0; at < code.length; at++) {
    const name = opcodeName(code[at]!);
    if (handlers[code[at]!] !== handlers[unknownCode]) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (code[at]! >= 0x60 && code[at]! <= 0x7f) at += code[at]! - 0x5f;
  }
}
