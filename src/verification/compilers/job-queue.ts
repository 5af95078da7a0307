// A few jobs at a time. What waits is bounded, in number and bytes, for all clients together and for each alone; what comes
// beyond is told so at once. Clients take turns, the one that was served longest ago first: who has much waiting makes the
// others wait for one job of his. When the queue is full, who has least in it takes a place from who has most.
import { VerificationError } from '../verification-error.ts';

export type JobQueue = {
  /** Throws a VerificationError (`too_many_jobs`) when too much waits. */
  run<T>(job: () => Promise<T>, asked?: Asked): Promise<T>;
  load(): QueueLoad;
  /** What waits is refused with the reason; resolves when what runs has ended. */
  close(reason: Error): Promise<void>;
};

/** `client`: whose share it takes; none = the service's own, which has all of the queue. `sizeBytes`: what it holds while it waits. */
type Asked = { client?: string | undefined; sizeBytes?: number };

export type QueueLoad = {
  running: number;
  waiting: number;
  /** For how long the client that has waited longest without any job of his running has been waiting. */
  waitMs: number;
};

export type JobQueueOptions = {
  concurrent: number;
  waiting: number;
  waitingBytes: number;
  /** Of each client: jobs that run or wait, and bytes of what waits. */
  perClient: { jobs: number; waitingBytes: number };
  /** How long a job takes, until some have been run. */
  usualMs: number;
  /** Called for each job that is refused. */
  onRefused?: (limit: RefusedBy) => void;
  /** ms, never set back. */
  clock?: () => number;
};

/** Whose limit was met: that of one client, or of all together. */
export type RefusedBy = 'client' | 'queue';

type Job = { start: () => void; refuse: (error: Error) => void; sizeBytes: number };
type Client = {
  isOwn: boolean;
  waiting: Job[];
  waitingBytes: number;
  running: number;
  /** When it came, or when the last of its jobs began or ended. */
  since: number;
};

/** Of each new duration. */
const weight = 0.3;
const maxRetryAfterSeconds = 3600;

export function createJobQueue(options: JobQueueOptions): JobQueue {
  const { concurrent, perClient, onRefused, clock = () => performance.now() } = options;
  /** Those that have a job here. */
  const clients = new Map<string, Client>();
  const running = new Set<Promise<unknown>>();
  let waiting = 0;
  let waitingBytes = 0;
  let meanMs = options.usualMs;
  let closed: Error | null = null;

  function startNext(): void {
    if (running.size >= concurrent) return;
    const [client] = [...clients.values()]
      .filter((one) => one.waiting.length > 0)
      .sort((a, b) => a.running - b.running || a.since - b.since);
    if (client === undefined) return;
    const job = client.waiting.shift()!;
    forget(client, job);
    client.running += 1;
    client.since = clock();
    job.start();
  }

  function end(name: string, client: Client, durationMs: number): void {
    meanMs += weight * (durationMs - meanMs);
    client.running -= 1;
    client.since = clock();
    if (client.running === 0 && client.waiting.length === 0) clients.delete(name);
    startNext();
  }

  function refuse(limit: RefusedBy, jobsBefore: number, sentence: string): VerificationError {
    onRefused?.(limit);
    const seconds = Math.ceil((jobsBefore * meanMs) / concurrent / 1000);
    const retryAfterSeconds = Math.min(maxRetryAfterSeconds, Math.max(1, seconds));
    const message = `${sentence}, more are not taken. Try again in ${retryAfterSeconds} seconds.`;
    return new VerificationError('too_many_jobs', message, { retryAfterSeconds });
  }

  function findRefusal(client: Client, sizeBytes: number): VerificationError | null {
    const count = client.waiting.length + client.running;
    const isTooLarge = client.waitingBytes > 0 && client.waitingBytes + sizeBytes > perClient.waitingBytes;
    if (!client.isOwn && (count >= perClient.jobs || isTooLarge)) {
      // Its next turn: each of the others has one before.
      const turns = [...clients.values()].filter((one) => one.waiting.length > 0).length;
      const sentence = `${count} contract checks of your network address are running or waiting already`;
      return refuse('client', turns, sentence);
    }
    if (running.size < concurrent) return null;
    while (waiting >= options.waiting)
      if (!makeRoom((one) => one.waiting.length, client.waiting.length + 1)) return full();
    while (waitingBytes + sizeBytes > options.waitingBytes) {
      if (!makeRoom((one) => one.waitingBytes, client.waitingBytes + sizeBytes)) return full();
    }
    return null;
  }

  /** Refuses the newest job of the client that has most, if another one then has no more than it. */
  function makeRoom(amountOf: (client: Client) => number, others: number): boolean {
    const [largest] = [...clients].sort(([, a], [, b]) => amountOf(b) - amountOf(a));
    if (largest === undefined || amountOf(largest[1]) <= others) return false;
    const [name, client] = largest;
    const job = client.waiting.pop()!;
    forget(client, job);
    if (client.running === 0 && client.waiting.length === 0) clients.delete(name);
    job.refuse(full());
    return true;
  }

  function full(): VerificationError {
    return refuse('queue', waiting + 1, `${waiting} contract checks are waiting already`);
  }

  /** It waits no more. */
  function forget(client: Client, { sizeBytes }: Job): void {
    client.waitingBytes -= sizeBytes;
    waiting -= 1;
    waitingBytes -= sizeBytes;
  }

  return {
    run(job, { client: name = ownName, sizeBytes = 0 } = {}) {
      if (closed) return Promise.reject(closed);
      const isOwn = name === ownName;
      const client = clients.get(name) ?? { isOwn, waiting: [], waitingBytes: 0, running: 0, since: clock() };
      const refusal = findRefusal(client, sizeBytes);
      if (refusal) return Promise.reject(refusal);
      clients.set(name, client);
      return new Promise((resolve, reject) => {
        const start = () => {
          const began = clock();
          const work = Promise.resolve().then(job);
          running.add(work);
          const ended = () => {
            running.delete(work);
            end(name, client, clock() - began);
          };
          work.then(
            (value) => {
              ended();
              resolve(value);
            },
            (error) => {
              ended();
              reject(error);
            },
          );
        };
        client.waiting.push({ start, refuse: reject, sizeBytes });
        client.waitingBytes += sizeBytes;
        waiting += 1;
        waitingBytes += sizeBytes;
        startNext();
      });
    },
    load() {
      const now = clock();
      const waits = [...clients.values()].filter((client) => client.running === 0).map(({ since }) => now - since);
      return { running: running.size, waiting, waitMs: Math.max(0, ...waits) };
    },
    async close(reason) {
      closed = reason;
      for (const client of clients.values()) for (const job of client.waiting.splice(0)) job.refuse(reason);
      waiting = 0;
      waitingBytes = 0;
      await Promise.allSettled(running);
    },
  };
}

/** No client has a name without letters. */
const ownName = '';
