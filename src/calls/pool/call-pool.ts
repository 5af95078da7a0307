// Threads that run contracts. They start with the first calls, and each has one job at a time; other jobs wait for one. A thread
// that ends, or does not keep to its time, is replaced.
import { Worker } from 'node:worker_threads';
import type { FactSource } from '../facts/fetch-facts.ts';
import type { StateCacheOptions } from '../thread/cached-state.ts';
import type { Job, Outcome } from '../thread/job.ts';
import type { FromThread, ToThread } from '../thread/messages.ts';

export type CallPool = {
  /**
   * Waits for a thread, then begins: `begin` gets the work that the thread is to do, for as long as `within` runs. Throws
   * PoolFull, or ThreadLost.
   */
  use<T>(work: (run: RunInThread) => Promise<T>): Promise<T>;
  /** Threads, and jobs that wait for one. */
  counts(): { threads: number; busy: number; waiting: number; lost: number };
  close(): Promise<void>;
};

type RunInThread = (job: Job, source: FactSource) => Promise<Outcome>;

export type CallPoolOptions = {
  maxThreads: number;
  /** Jobs that wait; with more, others are refused. */
  maxWaiting: number;
  /** How long a job may wait, ms; then it is refused. */
  maxWaitMs: number;
  cache: StateCacheOptions;
  /** Megabytes of the heap of a thread. */
  maxHeapMb: number;
  onLost(error: Error): void;
};

export class PoolFull extends Error {}
export class ThreadLost extends Error {}

type Thread = { worker: Worker; fail: ((error: Error) => void) | null };

/** What is made for an answer dies soon: with more, a thread takes more memory and is not faster. */
const youngHeapMb = 16;

/** Beyond its own limit of time a thread gets this long, ms: it looks at the clock every few thousand steps. */
const graceMs = 5000;

export function createCallPool(options: CallPoolOptions): CallPool {
  const { maxThreads, maxWaiting, maxWaitMs, cache, maxHeapMb, onLost } = options;
  const idle: Thread[] = [];
  const threads = new Set<Thread>();
  const waiting: PromiseWithResolvers<Thread>[] = [];
  let lost = 0;
  let isClosed = false;

  return {
    async use(work) {
      const thread = await take();
      try {
        return await work(async (job, source) => {
          // It may have ended while the work was prepared.
          if (!threads.has(thread)) throw new ThreadLost('The thread has ended.');
          return runIn(thread, { job, source, drop: (error) => drop(thread, error) });
        });
      } finally {
        giveBack(thread);
      }
    },
    counts: () => ({ threads: threads.size, busy: threads.size - idle.length, waiting: waiting.length, lost }),
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('Calls have ended.'));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };

  function take(): Promise<Thread> {
    if (isClosed) return Promise.reject(new Error('Calls have ended.'));
    const free = idle.pop();
    if (free) return Promise.resolve(free);
    if (threads.size < maxThreads) return Promise.resolve(start());
    if (waiting.length >= maxWaiting) return Promise.reject(new PoolFull('Too many calls wait.'));
    const turn = Promise.withResolvers<Thread>();
    waiting.push(turn);
    const timer = setTimeout(() => {
      const place = waiting.indexOf(turn);
      if (place >= 0) waiting.splice(place, 1);
      turn.reject(new PoolFull('A call has waited for a thread for too long.'));
    }, maxWaitMs);
    return turn.promise.finally(() => clearTimeout(timer));
  }

  function giveBack(thread: Thread): void {
    const next = waiting.shift();
    const usable = threads.has(thread) ? thread : null;
    if (next) next.resolve(usable ?? start());
    else if (usable) idle.push(usable);
  }

  function start(): Thread {
    const worker = new Worker(entry, {
      workerData: cache,
      stdin: false,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: youngHeapMb },
    });
    const thread: Thread = { worker, fail: null };
    threads.add(thread);
    // A server that has nothing else to do may end.
    worker.unref();
    worker.on('error', (error) => drop(thread, error as Error));
    worker.on('exit', () => drop(thread, new Error('The thread has ended.')));
    return thread;
  }

  function drop(thread: Thread, error: Error): void {
    if (!threads.delete(thread)) return;
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
    if (!isClosed) {
      lost += 1;
      onLost(error);
    }
    thread.fail?.(new ThreadLost(`A thread that ran a contract was lost: ${error.message}`));
  }
}

/** `drop` is told of a thread that does not keep to its time. */
function runIn(
  thread: Thread,
  { job, source, drop }: { job: Job; source: FactSource; drop(error: Error): void },
): Promise<Outcome> {
  const { worker } = thread;
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  let failure: unknown;
  const say = (message: ToThread): void => worker.postMessage(message);
  const hear = (message: FromThread): void => {
    if ('asked' in message) {
      source(message.asked).then(
        (facts) => say({ facts }),
        (error) => {
          // The thread ends the job first: nothing of it may come when the next one has begun.
          failure = error;
          say({ failed: true });
        },
      );
    } else if ('outcome' in message) resolve(message.outcome);
    else reject(failure ?? message.error);
  };
  const timer = setTimeout(() => {
    drop(new Error(`It did not end within ${job.timeMs} ms.`));
    void worker.terminate();
  }, job.timeMs + graceMs);
  thread.fail = reject;
  worker.on('message', hear);
  worker.ref();
  say({ job });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', hear);
    thread.fail = null;
    worker.unref();
  });
}

const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const entry = new URL(`../call-thread${ownExtension}`, import.meta.url);
