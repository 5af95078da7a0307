// Whether contract verification works: a self-test now and then, sooner after a failure. The last outcome counts until the
// next, but for a limited time.
import type { Facts, Signals } from '../../../status/signal-names.ts';

export type VerificationSignalOptions = {
  /** Throws if contracts cannot be verified. */
  selfTest(): Promise<void>;
  /** ms between self-tests, and after one that failed. */
  everyMs: number;
  retryMs: number;
  now: number;
};

/** At the start other work comes first. */
const firstAfterMs = 30_000;
/** On a busy machine a check reaches its limits now and then. */
const limitsForgiven = 2;
/** On a busy machine a self-test waits: for so long the outcome of the one before counts. */
const maxRunMs = 900_000;

type Outcome = { at: number; checkMs: number; failure: string | null };

export function createVerificationSignals(options: VerificationSignalOptions) {
  const { selfTest, everyMs, retryMs } = options;
  let dueAt = options.now + Math.min(firstAfterMs, everyMs);
  /** Of the self-test that runs now. */
  let runningSince: number | null = null;
  let last: Outcome | null = null;
  let limitsMet = 0;

  async function run(now: number): Promise<void> {
    runningSince = now;
    const started = performance.now();
    let failure: string | null = null;
    let isSlow = false;
    try {
      await selfTest();
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      // A busy machine is slow, not broken, unless no self-test ever finishes.
      limitsMet = code === 'compiler_limit' ? limitsMet + 1 : limitsMet;
      isSlow = code === 'too_many_jobs' || (code === 'compiler_limit' && limitsMet <= limitsForgiven);
      if (!isSlow) failure = message;
    }
    if (failure === null && !isSlow) limitsMet = 0;
    const checkMs = performance.now() - started;
    const at = now + checkMs;
    last = { at, checkMs, failure };
    dueAt = at + (failure === null && !isSlow ? everyMs : retryMs);
    runningSince = null;
  }

  return (now: number): { values: Signals<'verification'>; facts: Facts } | null => {
    if (runningSince === null && now >= dueAt) void run(now);
    if (last === null) return null;
    const isSlow = runningSince !== null && now - runningSince <= maxRunMs;
    if (!isSlow && now - last.at > everyMs * 2 + 60_000) return null;
    const { checkMs, failure } = last;
    return {
      values: { 'verification.down': failure === null ? 0 : 1, 'verification.checkMs': checkMs },
      facts: { 'verification.down': failure ?? '' },
    };
  };
}
