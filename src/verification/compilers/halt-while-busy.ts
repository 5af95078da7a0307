// Halts a check while the service is busy and no processor is idle, and lets it run for a few milliseconds now and then. A low
// priority is not enough: a kernel that gave a process an idle processor takes it back at its next tick (4 ms at 250 Hz), and
// a process that wakes up meanwhile waits. This happens whenever the service waits for PostgreSQL: the p99 of answers was two
// times what it is without checks.

export type Halting = {
  /** To be called several times a second. */
  look(): void;
  /** Sends nothing any more, whether the process has ended or not. */
  end(): void;
};

export type HaltingOptions = {
  send(signal: 'SIGSTOP' | 'SIGCONT'): void;
  isBusy(): boolean;
  /** How many processors have nothing to do. */
  idleProcessors(): number;
  /** How many run now; they share what is left to all. */
  checks(): number;
  /** ms, never set back. */
  clock?: () => number;
};

/** Long enough for progress: a process that resumes fills the caches of its processor first. */
const turnMs = 5;
/** How many times as long it is halted after a turn: less than a hundredth of all answers meet one. */
const haltsPerTurn = 150;
/** A processor that a check takes is idle without it. */
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
