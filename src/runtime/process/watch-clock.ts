// Says when the clock of this machine is set back: ages, incidents and what is kept for a time are then wrong for as long, and
// nothing else tells why.
import type { Logger } from './log.ts';

export type ClockWatchOptions = {
  log: Pick<Logger, 'warn'>;
  /** ms since 1970, and ms that are never set back. */
  clocks?: { wall(): number; steady(): number };
};

/** Less is what time services do all along. */
const toleratedMs = 1000;
const lookEveryMs = 5000;

/** `look` compares the clocks now; the program calls it every few seconds by itself, and it keeps no process alive. */
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
      `The clock of this machine was set back by ${Math.round(backMs / 1000)} s, to ${now}. Until it is past its old time, ages of blocks and the status are reckoned with times that repeat.`,
    );
  };
  setInterval(look, lookEveryMs).unref();
  return { look };
}
