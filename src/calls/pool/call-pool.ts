// Threads that run contracts, and whose turn it is: clients take turns, by the time of threads that they took lately
// (kit/shares). One thread more than there are places is kept for clients that run nothing and have taken little, so
// that calls of one client that run to their limit of time hold up no other client.

import { type Cause, CausedError, causeOfRefusal } from '../../../packages/kit/shares/cause.ts';
import { createClientLine, LineFull } from '../../../packages/kit/shares/client-line.ts';
import { aside } from '../../../packages/kit/shares/current-client.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import type { FactSource } from '../facts/fetch-facts.ts';
import type { StateCacheOptions } from '../thread/cached-state.ts';
import type { AnyJob, EndOf } from './messages.ts';
import { createThreads, runIn, ThreadLate, ThreadLost } from './threads.ts';

export type CallPool = {
  /**
   * Waits for a thread, then begins: `begin` gets the work that the thread is to do, for as long as `within` runs.
   * Throws PoolFull, or ThreadLost.
   */
  use<T>(client: string, work: (run: RunInThread) => Promise<T>): Promise<T>;
  /** Counts work of the client that was done without a thread, ms. */
  spend(client: string, ms: number): void;
  /** Threads, and jobs that wait for one. */
  counts(): { threads: number; busy: number; starting: number; waiting: number; lost: number };
  close(): Promise<void>;
};

type RunInThread = <Asked extends AnyJob>(job: Asked, source: FactSource) => Promise<EndOf<Asked>>;

export type CallPoolOptions = {
  /** Beside the one that is kept. */
  maxThreads: number;
  /** Jobs that wait; with more, others are refused. */
  maxWaiting: number;
  /** How long a job may wait, ms; then it is refused. */
  maxWaitMs: number;
  cache: StateCacheOptions;
  /** Megabytes of the heap of a thread. */
  maxHeapMb: number;
  onLost(error: Error): void;
  /** Module of a thread. */
  entry?: URL;
};

/** `client`: the client has its share; `all`: there is too much to do. */
export class PoolFull extends CausedError {
  readonly by: 'client' | 'all';
  readonly causedBy: Cause;

  constructor(by: 'client' | 'all', message: string) {
    super(message);
    this.by = by;
    this.causedBy = causeOfRefusal(by);
  }
}

export { ThreadLost };

/** A call that needs a thread takes some tens of milliseconds as a rule. */
const usualMs = 100;
/** A third of a thread, for long, is little: clients that ask for short calls all the time share the kept one. */
const littleMs = 5000;

export function createCallPool(options: CallPoolOptions): CallPool {
  const { maxThreads, maxWaiting, maxWaitMs, cache, maxHeapMb, onLost, entry } = options;
  const { kept } = doorShares.calls;
  const threads = createThreads({ max: maxThreads + kept, cache, maxHeapMb, onLost, ...(entry && { entry }) });
  const line = createClientLine({
    ...{ concurrent: maxThreads, kept, littleMs, maxWaitMs, usualMs },
    waiting: { count: maxWaiting },
    // With the kept one it would have all of them.
    perClient: { running: maxThreads },
  });

  /** Rejects with PoolFull. */
  async function enter(client: string) {
    const askedMs = performance.now();
    try {
      const leave = await line.enter(client);
      const beganMs = performance.now();
      try {
        const thread = await threads.take(maxWaitMs - (beganMs - askedMs));
        // That a thread was not there yet is not the client's time.
        line.spend(client, beganMs - performance.now());
        return { thread, leave };
      } catch (error) {
        line.spend(client, beganMs - performance.now());
        leave();
        throw error;
      }
    } catch (error) {
      if (error instanceof LineFull) throw new PoolFull(error.by === 'client' ? 'client' : 'all', error.message);
      throw error instanceof ThreadLate ? new PoolFull('all', error.message) : error;
    }
  }

  return {
    async use(client, work) {
      const { thread, leave } = await aside(() => enter(client));
      try {
        return await work((job, source) => runIn(thread, job, source));
      } finally {
        threads.giveBack(thread);
        leave();
      }
    },
    spend: line.spend,
    counts: () => ({ ...threads.counts(), waiting: line.load().waiting }),
    async close() {
      const reason = new Error('Calls have ended.');
      // Not awaited: work that runs ends with its thread.
      void line.close(reason);
      await threads.close(reason);
    },
  };
}
