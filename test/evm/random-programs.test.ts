// A part of test/evm/run-programs.ts.

import { expect, it } from 'vitest';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { comparePrograms } from './compare-programs.ts';

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
