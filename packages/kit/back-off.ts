// Delays between attempts: each twice as long as the one before, up to a maximum.

export type BackOff = {
  /** ms to wait before the next attempt. */
  next(): number;
  /** Starts again with the first delay. */
  reset(): void;
};

export function createBackOff(firstMs: number, maxMs: number): BackOff {
  let delayMs = firstMs;
  return {
    next() {
      const current = delayMs;
      delayMs = Math.min(delayMs * 2, maxMs);
      return current;
    },
    reset() {
      delayMs = firstMs;
    },
  };
}
