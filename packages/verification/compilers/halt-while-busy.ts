// Stops a check while the service is busy and no processor is idle, and lets it run for a few milliseconds now and
// then. A low priority is not enough: a kernel that gave a process an idle processor takes it back at its next tick (4
// ms at 250 Hz), and a process that wakes up meanwhile waits. This happens whenever the service waits for PostgreSQL:
// the p99 of answers was twice as long as without checks. Halts become shorter the longer a check has been halted:
// clients that keep the service busy must not keep others from their checks for good.

export type Halting = {
  /** To be called several times a second. */
  look(): void;
  /** For how long it was halted so far. */
  haltedMs(): number;
  /** Sends no more signals, whether the process has ended or not. */
  end(): void;
};

export type HaltingOptions = {
  send(signal: 'SIGSTOP' | 'SIGCONT'): void;
  isBusy(): boolean;
  /** Number of idle processors. */
  idleProcessors(): number;
  /** Number of running checks, which share the remaining time. */
  checks(): number;
  /** Monotonic, ms. */
  clock?: () => number;
};

/** Long enough for progress: a resumed process first has to fill the processor's caches. */
const turnMs = 5;
/** Length of a stop, in turns: less than a hundredth of all answers overlap a turn. */
const haltsPerTurn = 150;
/**
 * After this time halted they are half as long, after twice the time a third, and so on: a check of 2 s is done in 2
 * minutes.
 */
const shorterAfterMs = 10_000;
/** At least so long: a check then has a tenth of a processor. */
const minHaltsPerTurn = 9;
/** A processor that a check occupies is idle without it. */
const idleIsFree = 0.25;

export function haltWhileBusy(options: HaltingOptions): Halting {
  const { send, isBusy, idleProcessors, checks, clock = () => performance.now() } = options;
  let state: 'free' | 'halted' | 'turn' = 'free';
  let haltedUntil = 0;
  let haltedSince = 0;
  let haltedBefore = 0;
  let timer: NodeJS.Timeout | null = null;

  const haltedMs = (): number => haltedBefore + (state === 'halted' ? clock() - haltedSince : 0);
  const haltAfter = (lastTurnMs: number): void => {
    const halts = Math.max(minHaltsPerTurn, haltsPerTurn / (1 + haltedMs() / shorterAfterMs));
    state = 'halted';
    haltedSince = clock();
    haltedUntil = haltedSince + lastTurnMs * halts * checks();
    send('SIGSTOP');
  };
  const resume = (next: 'free' | 'turn'): void => {
    haltedBefore = haltedMs();
    state = next;
    send('SIGCONT');
  };

  return {
    look() {
      if (state === 'turn') return;
      const isFull = idleProcessors() < idleIsFree + (state === 'halted' ? 1 : 0);
      if (!isBusy() || !isFull) {
        if (state === 'halted') resume('free');
      } else if (state === 'free') {
        haltAfter(turnMs);
      } else if (clock() >= haltedUntil) {
        resume('turn');
        const began = clock();
        // A busy event loop ends the turn late.
        timer = setTimeout(() => haltAfter(clock() - began), turnMs);
      }
    },
    haltedMs,
    end() {
      if (timer) clearTimeout(timer);
    },
  };
}
