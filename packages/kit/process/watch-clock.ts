// Warns when the clock of this machine is set back: ages, incidents and retention times are then wrong for as long, and
// nothing else shows it.
import type { Logger } from './log.ts';

export type ClockWatchOptions = {
  log: Pick<Logger, 'warn'>;
  /** ms since 1970, and monotonic ms. */
  clocks?: { wall(): number; steady(): number };
};

/** Time services correct less than this all the time. */
const toleratedMs = 1000;
const lookEveryMs = 5000;

/** `look` compares the clocks now; the program calls it every few seconds, and its timer keeps no process alive. */
export function watchClock({ log, clocks = { wall: Date.now, steady: () => performance.now() } }: ClockWatchOptions): {
  look(): void;
} {
  let offsetMs = clocks.wall() - clocks.steady();
  const look = (): void => {
    const nowMs = clocks.wall() - clocks.steady();
    const backMs = offsetMs - nowMs;
    offsetMs = nowMs;
    if (backMs <= toleratedMs) return;
    const now = new Date(clocks.wall()).toISOString();
    log.warn(
      `The clock of this machine was set back by ${Math.round(backMs / 1000)} s, to ${now}. Until it is past its old time, ages of blocks and the status are computed from times that repeat.`,
    );
  };
  setInterval(look, lookEveryMs).unref();
  return { look };
}
