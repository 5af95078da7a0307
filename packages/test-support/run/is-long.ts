// Two sizes of a test: what takes minutes in full is `x.long.test.ts`, which imports `x.test.ts` and nothing else. `npm
// test` runs the short one, `npm run test:long` the other.
import { expect } from 'vitest';

/** Whether the test file that runs is one of the long ones. */
export const isLong = expect.getState().testPath?.endsWith('.long.test.ts') ?? false;
