// Two sizes of a test: what takes minutes in full is `x.long.test.ts`, which imports `x.test.ts` and nothing else. `npm
// test` runs the short one, `npm run test:long` the other.
import { sized } from '../sized.ts';

/** Whether the long form of a test runs. What is the same in both is left out of it: `it.skipIf(isLong)`. */
export const isLong = sized({ short: false, long: true });
