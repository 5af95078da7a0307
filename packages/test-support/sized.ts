// Tests of two sizes run twice: in a short form with `npm test`, and in a long one with `npm run test:long`.

/** Set by vitest.config.ts for the long ones. */
export const sizeVariable = 'LEDGER_MIRROR_TEST_SIZE';

/** How much of something this run has. */
export function sized<T>({ short, long }: { short: T; long: T }): T {
  return process.env[sizeVariable] === 'long' ? long : short;
}
