// Stops a check while the service is busy and no processor is idle, and lets it run for a few milliseconds now and then. A
// low priority is not enough: a kernel that gave a process an idle processor takes it back at its next tick (4 ms at 250 Hz),
// and a process that wakes up meanwhile waits. This happens whenever the service waits for PostgreSQL: the p99 of answers was
// twice as long as without checks.

export type Halting = {
  /** To be called several times a second. */
  look(): void;
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
/** A processor that a check occupies is idle without it. */
const idleIsFree = 0.25;

export function haltWhileBusy(options: HaltingOptions): Halting {
  const { send, isBusy, idleProcessors, checks, clock = () => performance.now() } = options;
  let state: 'free' | 'halted' | 'turn' = 'free';
  let haltedUntil = 0;
  let timer: NodeJS.Timeout | null = null;

  const haltAfter = (lastTurnMs: number): void => {
    state = 'halted';
    haltedUntil = clock() + lastTurnMs * haltsPerTurn * checks();
    send('SIGSTOP');
  };
  const resume = (next: 'free' | 'turn'): void => {
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
    end() {
      if (timer) clearTimeout(timer);
    },
  };
}
