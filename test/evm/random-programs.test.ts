// A part of test/evm/run-programs.ts.
import { expect, it } from 'vitest';
import { comparePrograms } from './compare-programs.ts';

// Some seconds on a quiet machine.
it('agrees with @ethereumjs/evm on random programs', { timeout: 240_000 }, async () => {
  const { programs, results, logs, slots, differing } = await comparePrograms(1, 2500);
  expect(differing).toEqual([]);
  expect(programs).toBe(2500);
  // The programs do something: a third succeed, and each other end is there.
  expect(results.success!).toBeGreaterThan(800);
  expect(results.revert!).toBeGreaterThan(200);
  expect(results.halt!).toBeGreaterThan(200);
  expect(logs).toBeGreaterThan(1000);
  expect(slots).toBeGreaterThan(5000);
});
