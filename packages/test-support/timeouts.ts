// How long tests may take, by kind of test. Most take a tenth of it: on a busy machine everything takes ten times as
// long.

/** ms, of one test, and of a hook. */
export const timeouts = {
  /** Beside the code. */
  code: 60_000,
  /** Of several rooms and of the whole program, in `test`. */
  test: 240_000,
  /** `*.long.test.ts` */
  long: 900_000,
} as const;

/** ms to wait for a condition within a test: less than its limit, so that the failure says what did not come. */
export const waitMs = timeouts.test - 30_000;
