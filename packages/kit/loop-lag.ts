// How late this thread comes to what is due: while it is, everyone waits who asks anything.

export type LoopLag = {
  /** Of the last moments, ms. */
  ms(): number;
  close(): void;
};

const lookEveryMs = 50;
/** Of each new look. */
const weight = 0.3;

export function watchLoop(): LoopLag {
  let due = performance.now() + lookEveryMs;
  let lag = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lag += weight * (Math.max(0, now - due) - lag);
    due = now + lookEveryMs;
  }, lookEveryMs).unref();
  return {
    // What is late now counts, too: the timer comes last.
    ms: () => Math.max(lag, weight * (performance.now() - due)),
    close: () => clearInterval(timer),
  };
}
