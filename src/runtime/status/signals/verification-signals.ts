// Whether contract verification works: a self-test now and then, sooner after a failure. The last outcome counts until
// the next, but for a limited time.
import type { Facts, Signals } from '../../../../packages/status/signal-names.ts';

export type VerificationSignalOptions = {
  /** Throws if contracts cannot be verified. Resolves with how long the check took by itself, ms. */
  selfTest(): Promise<number>;
  /** ms between self-tests, and after one that failed. */
  everyMs: number;
  retryMs: number;
  now: number;
};

/** At the start other work comes first. */
const firstAfterMs = 30_000;
/** On a busy machine a check reaches its limits, or its process does not start in time, now and then. */
const limitsForgiven = 2;
/** On a busy machine a self-test waits: for so long the outcome of the one before counts. */
const maxRunMs = 900_000;

/** checkMs: of the last one that ended. */
type Outcome = { at: number; checkMs: number | null; failure: string | null };

type SelfTestSignals = Pick<Signals<'verification'>, 'verification.down' | 'verification.checkMs'>;

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
    let checkMs = last?.checkMs ?? null;
    try {
      checkMs = await selfTest();
    } catch (error) {
      const isLimit = meetsLimit(error);
      // A busy machine is slow, not broken, unless no self-test ever finishes.
      if (isLimit) limitsMet += 1;
      isSlow = isRefused(error) || (isLimit && limitsMet <= limitsForgiven);
      if (!isSlow) failure = error instanceof Error ? error.message : String(error);
    }
    if (failure === null && !isSlow) limitsMet = 0;
    const at = now + performance.now() - started;
    last = { at, checkMs, failure };
    dueAt = at + (failure === null && !isSlow ? everyMs : retryMs);
    runningSince = null;
  }

  return (now: number): { values: SelfTestSignals; facts: Facts } | null => {
    if (runningSince === null && now >= dueAt) void run(now);
    if (last === null) return null;
    const isSlow = runningSince !== null && now - runningSince <= maxRunMs;
    if (!isSlow && now - last.at > everyMs * 2 + 60_000) return null;
    const { checkMs, failure } = last;
    return {
      values: {
        'verification.down': failure === null ? 0 : 1,
        ...(checkMs === null ? {} : { 'verification.checkMs': checkMs }),
      },
      facts: { 'verification.down': failure ?? '' },
    };
  };
}

type CheckError = { code?: string; retryAfterSeconds?: number } | undefined;

const isRefused = (error: unknown): boolean => (error as CheckError)?.code === 'too_many_jobs';

/** Its time is over, or its process has not started yet. */
function meetsLimit(error: unknown): boolean {
  const { code, retryAfterSeconds } = (error as CheckError) ?? {};
  return code === 'compiler_limit' || (code === 'compiler_not_available' && retryAfterSeconds !== undefined);
}
