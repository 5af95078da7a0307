// The threads of a pool. They start when they are needed, and count as there once they have said so: on a busy host
// that takes seconds, of which no job is informed. One that has started is kept. One that ends, or does not keep to its
// time, is replaced; where none can be started, the next attempt waits.
import { Worker } from 'node:worker_threads';
import { createBackOff } from '../../../packages/kit/back-off.ts';
import type { FactSource } from '../facts/fetch-facts.ts';
import type { StateCacheOptions } from '../thread/cached-state.ts';
import type { AnyJob, EndOf, FromThread, ToThread } from './messages.ts';

export type Thread = {
  worker: Worker;
  isReady: boolean;
  /** It has ended, or is to end. */
  isGone: boolean;
  /** Rejects its job. */
  fail: ((error: Error) => void) | null;
  drop(error: Error): void;
};

export type Threads = {
  /** One that is ready, for this caller alone. Rejects with ThreadLate where there is none in time. */
  take(maxWaitMs: number): Promise<Thread>;
  giveBack(thread: Thread): void;
  counts(): { threads: number; busy: number; starting: number; lost: number };
  close(reason: Error): Promise<void>;
};

export type ThreadsOptions = {
  max: number;
  cache: StateCacheOptions;
  /** Megabytes of the heap of a thread. */
  maxHeapMb: number;
  onLost(error: Error): void;
  /** Module of a thread. */
  entry?: URL;
};

export class ThreadLost extends Error {}
export class ThreadLate extends Error {}

/** What is made for an answer dies soon: with more, a thread takes more memory and is not faster. */
const youngHeapMb = 16;

/** Beyond its own limit of time a thread gets this long, ms: it looks at the clock every few thousand steps. */
const graceMs = 5000;

/** Between attempts to start a thread, ms, while they fail. */
const backOff = { firstMs: 500, maxMs: 30_000 };

const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const ownEntry = new URL(`../call-thread${ownExtension}`, import.meta.url);

export function createThreads({ max, cache, maxHeapMb, onLost, entry = ownEntry }: ThreadsOptions): Threads {
  const idle: Thread[] = [];
  const threads = new Set<Thread>();
  const wanting: PromiseWithResolvers<Thread>[] = [];
  const delays = createBackOff(backOff.firstMs, backOff.maxMs);
  let mayStartAtMs = 0;
  let lost = 0;
  let isClosed = false;

  const countStarting = (): number => [...threads].filter(({ isReady }) => !isReady).length;
  const canStart = (): boolean => threads.size < max && performance.now() >= mayStartAtMs;

  function startMissing(): void {
    while (countStarting() < wanting.length && canStart()) start();
  }

  function offer(thread: Thread): void {
    const next = wanting.shift();
    if (next) next.resolve(thread);
    else idle.push(thread);
  }

  function start(): void {
    const worker = new Worker(entry, {
      workerData: cache,
      stdin: false,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: youngHeapMb },
    });
    const thread: Thread = { worker, isReady: false, isGone: false, fail: null, drop: (error) => drop(thread, error) };
    threads.add(thread);
    worker.once('message', () => {
      thread.isReady = true;
      delays.reset();
      // A server that has nothing else to do may end.
      worker.unref();
      if (!thread.isGone) offer(thread);
    });
    worker.on('error', (error) => drop(thread, error as Error));
    worker.on('exit', () => drop(thread, new Error('The thread has ended.')));
  }

  function drop(thread: Thread, error: Error): void {
    if (!threads.delete(thread)) return;
    thread.isGone = true;
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
    thread.fail?.(new ThreadLost(`A thread that ran a contract was lost: ${error.message}`));
    if (isClosed) return;
    lost += 1;
    onLost(thread.isReady ? error : new Error(`A thread did not start: ${error.message}`, { cause: error }));
    if (!thread.isReady) mayStartAtMs = performance.now() + delays.next();
    if (threads.size === 0 && !canStart()) refuseWanting();
    else startMissing();
  }

  function refuseWanting(): void {
    for (const { reject } of wanting.splice(0)) reject(new ThreadLate('No thread could be started.'));
  }

  return {
    async take(maxWaitMs) {
      const free = idle.pop();
      if (free) return free;
      if (threads.size === 0 && !canStart()) throw new ThreadLate('No thread could be started.');
      const turn = Promise.withResolvers<Thread>();
      wanting.push(turn);
      startMissing();
      const timer = setTimeout(() => {
        const place = wanting.indexOf(turn);
        if (place >= 0) wanting.splice(place, 1);
        turn.reject(new ThreadLate('A call has waited for a thread to start for too long.'));
      }, maxWaitMs);
      return turn.promise.finally(() => clearTimeout(timer));
    },
    giveBack(thread) {
      if (!thread.isGone) offer(thread);
      else startMissing();
    },
    counts() {
      const starting = countStarting();
      return { threads: threads.size, busy: threads.size - idle.length - starting, starting, lost };
    },
    async close(reason) {
      isClosed = true;
      for (const { reject } of wanting.splice(0)) reject(reason);
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

/** A thread that does not keep to its time is dropped. Rejects with ThreadLost, or with what failed. */
export async function runIn<Asked extends AnyJob>(
  thread: Thread,
  job: Asked,
  source: FactSource,
): Promise<EndOf<Asked>> {
  // It may have ended while the work was prepared.
  if (thread.isGone) throw new ThreadLost('The thread has ended.');
  const { worker } = thread;
  const { promise, resolve, reject } = Promise.withResolvers<EndOf<Asked>>();
  let failure: unknown;
  let isOver = false;
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
    } else if ('outcome' in message) resolve(message.outcome as EndOf<Asked>);
    else if ('error' in message) reject(failure ?? message.error);
  };
  const end = (): void => {
    if (isOver) return;
    thread.drop(new Error(`It did not end within ${job.timeMs} ms.`));
    void worker.terminate();
  };
  // Where this thread itself is late, the outcome may be there already: messages are heard before `setImmediate`.
  const timer = setTimeout(() => setImmediate(end), job.timeMs + graceMs);
  thread.fail = reject;
  worker.on('message', hear);
  worker.ref();
  say({ job });
  return promise.finally(() => {
    isOver = true;
    clearTimeout(timer);
    worker.off('message', hear);
    thread.fail = null;
    worker.unref();
  });
}
