// How the ledger grows, for everyone in this process who follows it: one look at the newest block for all. Blocks are
// committed whole and in order, so everything up to its end is there.
import { pause } from '../../../packages/kit/pause.ts';
import { ownWork } from '../../../packages/kit/shares/client-line.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';

/** Consensus times, ns: everything after `after` up to `to` is new. */
export type Growth = { after: bigint; to: bigint };

type Listener = (growth: Growth) => Promise<void> | void;

export type LedgerFeed = {
  /** The listener is called for everything after `since`, in order, one call after the other. */
  follow(listener: Listener): Promise<{ since: bigint; stop(): void }>;
  followers(): number;
  close(): Promise<void>;
};

type Options = {
  /** End of the newest block; null = nothing is stored yet. */
  readEnd(): Promise<bigint | null>;
  watch: BlockWatch;
  /** The database fails, or a listener does. */
  onError(error: unknown): void;
  /** How often the notifications of blocks are looked at: without a query. */
  lookEveryMs?: number;
  /** How often the database is asked where it does not notify. */
  askEveryMs?: number;
};

export function createLedgerFeed(options: Options): LedgerFeed {
  const { readEnd, watch, onError, lookEveryMs = 50, askEveryMs = 500 } = options;
  const closing = new AbortController();
  // Each follower by itself: the same listener may come again before it has gone.
  const listeners = new Set<{ listener: Listener }>();
  let end = -1n;
  let running: Promise<void> | null = null;
  let starting: Promise<void> | null = null;

  return {
    async follow(listener) {
      // Everybody who comes meanwhile waits for the same.
      // Not as the client that came first: it is for all.
      if (!running) starting ??= runAs(ownWork, start);
      await starting;
      // From here on nothing waits: no growth can come between.
      const follower = { listener };
      listeners.add(follower);
      running ??= runAs(ownWork, run);
      return { since: end, stop: () => void listeners.delete(follower) };
    },
    followers: () => listeners.size,
    async close() {
      closing.abort();
      listeners.clear();
      await running;
    },
  };

  async function start(): Promise<void> {
    try {
      end = (await readEnd()) ?? -1n;
    } finally {
      starting = null;
    }
  }

  async function run(): Promise<void> {
    let seenTurn = -1;
    let askedMs = 0;
    while ((await pause(lookEveryMs, closing.signal)) && listeners.size > 0) {
      const isNotified = watch.newestEnd !== null;
      const isDue = isNotified ? watch.turn !== seenTurn : performance.now() - askedMs >= askEveryMs;
      if (!isDue) continue;
      const { turn } = watch;
      askedMs = performance.now();
      try {
        const newest = await readEnd();
        if (newest !== null && newest > end) await grow(newest);
        // A replica may be behind the notification.
        if (watch.newestEnd === null || (newest ?? -1n) >= watch.newestEnd) seenTurn = turn;
      } catch (error) {
        // It is asked again: nothing of what is new was reported.
        onError(error);
        await pause(askEveryMs, closing.signal);
      }
    }
    running = null;
  }

  async function grow(to: bigint): Promise<void> {
    const growth = { after: end, to };
    const notified = [...listeners];
    // Who comes from now on has this part.
    end = to;
    const outcomes = await Promise.allSettled(notified.map(async ({ listener }) => listener(growth)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') onError(outcome.reason);
  }
}
