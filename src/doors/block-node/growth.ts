// New blocks, for all who follow at this door: one look for all, and only while somebody follows.
import type { LedgerFeed } from '../feed/ledger-feed.ts';

export type Growth = {
  join(): Promise<{ leave(): void }>;
  /** Changes whenever something came. */
  turn(): number;
  /** Until the turn is another one than this, or the signal aborts. */
  changed(turn: number, signal: AbortSignal): Promise<void>;
};

/** @param refresh is called before those who wait are woken */
export function createGrowth(feed: LedgerFeed, refresh: () => Promise<void>): Growth {
  let followers = 0;
  let following: Promise<{ stop(): void }> | null = null;
  let turn = 0;
  const waiting = new Set<() => void>();

  async function onGrowth(): Promise<void> {
    try {
      await refresh();
    } finally {
      turn += 1;
      const woken = [...waiting];
      waiting.clear();
      for (const wake of woken) wake();
    }
  }

  return {
    async join() {
      followers += 1;
      following ??= feed.follow(onGrowth);
      const joined = following;
      let isGone = false;
      const leave = (): void => {
        if (isGone) return;
        isGone = true;
        followers -= 1;
        if (followers > 0) return;
        following = null;
        joined.then(({ stop }) => stop()).catch(() => {});
      };
      try {
        await joined;
      } catch (error) {
        if (following === joined) following = null;
        leave();
        throw error;
      }
      return { leave };
    },
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
