// Keeps one explorer's rate limit: requests pass at an even rate, wait briefly if there are many, and are refused at
// once if the wait would be long.
import { pause } from '../../kit/pause.ts';

export type RateGate = {
  /** Resolves to 0 when the request may be sent, else at once to the seconds after which to try again. */
  pass(): Promise<number>;
};

export type RateGateOptions = { ratePerSecond: number; maxWaitMs?: number; now?: () => number };

export function createRateGate(options: RateGateOptions): RateGate {
  const { ratePerSecond, maxWaitMs = 5_000, now = () => performance.now() } = options;
  const stepMs = 1000 / ratePerSecond;
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    async pass() {
      const at = now();
      const due = Math.max(nextAt, at);
      if (due - at > maxWaitMs) return Math.ceil((due - at) / 1000);
      nextAt = due + stepMs;
      if (due > at) await pause(due - at);
      return 0;
    },
  };
}
