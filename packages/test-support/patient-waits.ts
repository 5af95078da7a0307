// A test that waits for a condition without saying how long waits as long as its kind of test allows, not vitest's
// second: a busy machine takes longer than that for anything.
import { vi } from 'vitest';
import { timeouts } from './timeouts.ts';

/** ms: less than a test beside the code may take, so that the failure says what did not come. */
const longest = timeouts.code / 2;

type Options = Parameters<typeof vi.waitFor>[1];

/** Files of one process share `vi`, and this is run for each of them. */
const shared: typeof vi & { isPatient?: true } = vi;
if (!shared.isPatient) {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (check, options) => waitFor(check, withDefault(options));
  vi.waitUntil = (check, options) => waitUntil(check, withDefault(options));
  shared.isPatient = true;
}

function withDefault(options: Options): Options {
  return typeof options === 'number' ? options : { timeout: longest, ...options };
}
