// New blocks, for all who follow at this door: one look for all, and only while a client follows.
import type { LedgerFeed } from '../feed/ledger-feed.ts';
import { createTeller } from '../feed/teller.ts';

export type Growth = {
  join(): Promise<{ leave(): void }>;
  /** Changes whenever something came. */
  turn(): number;
  /** Until the turn is another one than this, or the signal aborts. */
  changed(turn: number, signal: AbortSignal): Promise<void>;
};

/** @param refresh is called before those who wait are woken */
export function createGrowth(feed: LedgerFeed, refresh: () => Promise<void>): Growth {
  const teller = createTeller(feed, tell);
  let turn = 0;
  const waiting = new Set<() => void>();

  async function* tell(_after: bigint, to: bigint): AsyncGenerator<bigint> {
    try {
      await refresh();
    } finally {
      turn += 1;
      const woken = [...waiting];
      waiting.clear();
      for (const wake of woken) wake();
    }
    yield to;
  }

  return {
    join: teller.join,
    turn: () => turn,
    changed: (seen, signal) =>
      new Promise((done) => {
        if (turn !== seen || signal.aborted) {
          done();
          return;
        }
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          done();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      }),
  };
}
