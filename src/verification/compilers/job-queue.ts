// Runs a few jobs at a time. The number and bytes of waiting jobs are bounded, for all clients together and for each; more
// are refused at once. Clients take turns, the one that was served longest ago first, so that others wait for only one of a
// client's many jobs. When the queue is full, the client with the least in it takes a place from the one with the most.
import { VerificationError } from '../terms/verification-error.ts';

export type JobQueue = {
  /** Throws a VerificationError (`too_many_jobs`) if too much waits. */
  run<T>(job: () => Promise<T>, asked?: Asked): Promise<T>;
  load(): QueueLoad;
  /** Rejects waiting jobs with the reason; resolves when the running ones have ended. */
  close(reason: Error): Promise<void>;
};

/** `client`: whose share it takes; absent = the service itself, without a share. `sizeBytes`: memory held while waiting. */
type Asked = { client?: string | undefined; sizeBytes?: number };

export type QueueLoad = {
  running: number;
  waiting: number;
  /** How long the client that has waited longest without a running job has been waiting. */
  waitMs: number;
};

export type JobQueueOptions = {
  concurrent: number;
  waiting: number;
  waitingBytes: number;
  /** Per client: running and waiting jobs, and bytes of the waiting ones. */
  perClient: { jobs: number; waitingBytes: number };
  /** Assumed duration of a job until some have been run. */
  usualMs: number;
  /** Called for each job that is refused. */
  onRefused?: (limit: RefusedBy) => void;
  /** Monotonic, ms. */
  clock?: () => number;
};

/** Whose limit was reached: that of one client, or of all together. */
export type RefusedBy = 'client' | 'queue';

export function createJobQueue(options: JobQueueOptions): JobQueue {
  const { concurrent, perClient, clock = () => performance.now() } = options;
  const line = createLine(clock);
  const running = new Set<Promise<unknown>>();
  const refusals = createRefusals(options);
  let closed: Error | null = null;

  function startNext(): void {
    const next = running.size < concurrent ? line.takeNext() : null;
    if (next === null) return;
    const { client, job } = next;
    const began = clock();
    const work = Promise.resolve().then(job.work);
    running.add(work);
    const end = (): void => {
      running.delete(work);
      refusals.learn(clock() - began);
      line.end(client);
      startNext();
    };
    work.then(end, end);
    work.then(job.resolve, job.refuse);
  }

  function findRefusal(client: Client, sizeBytes: number): VerificationError | null {
    const count = client.waiting.length + client.running;
    const isTooLarge = client.waitingBytes > 0 && client.waitingBytes + sizeBytes > perClient.waitingBytes;
    if (client.name !== ownName && (count >= perClient.jobs || isTooLarge)) {
      const sentence = `${count} contract checks of your network address are running or waiting already`;
      // Its next turn comes after one of each other client.
      return refusals.make('client', line.countClients(), sentence);
    }
    if (running.size < concurrent) return null;
    return makeRoom(client, countOf, 1, options.waiting) ?? makeRoom(client, bytesOf, sizeBytes, options.waitingBytes);
  }

  /** Refuses the newest jobs of the clients that have most, as long as this one then has no more than they; else this one. */
  function makeRoom(client: Client, amountOf: AmountOf, added: number, max: number): VerificationError | null {
    while (line.sum(amountOf) + added > max) {
      const dropped = line.dropLargest(amountOf, amountOf(client) + added);
      const waiting = line.sum(countOf);
      const refusal = refusals.make('queue', waiting + 1, `${waiting} contract checks are waiting already`);
      if (dropped === null) return refusal;
      dropped.refuse(refusal);
    }
    return null;
  }

  return {
    run(work, { client: name = ownName, sizeBytes = 0 } = {}) {
      if (closed) return Promise.reject(closed);
      const client = line.find(name);
      const refusal = findRefusal(client, sizeBytes);
      if (refusal) return Promise.reject(refusal);
      return new Promise((resolve, refuse) => {
        line.add(client, { work, resolve: resolve as Job['resolve'], refuse, sizeBytes });
        startNext();
      });
    },
    load: () => ({ running: running.size, waiting: line.sum(countOf), waitMs: line.longestWaitMs() }),
    async close(reason) {
      closed = reason;
      for (const job of line.clear()) job.refuse(reason);
      await Promise.allSettled(running);
    },
  };
}

/** No client has an empty name. */
const ownName = '';

type Job = {
  work: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  refuse: (error: Error) => void;
  sizeBytes: number;
};
type Client = {
  name: string;
  waiting: Job[];
  waitingBytes: number;
  running: number;
  /** When it came, or when the last of its jobs began or ended. */
  since: number;
};
type AmountOf = (client: Client) => number;

const countOf: AmountOf = ({ waiting }) => waiting.length;
const bytesOf: AmountOf = ({ waitingBytes }) => waitingBytes;

/** Clients with jobs, and their waiting jobs. */
function createLine(clock: () => number) {
  const clients = new Map<string, Client>();
  const list = (): Client[] => [...clients.values()];

  function forgetIdle({ name, running, waiting }: Client): void {
    if (running === 0 && waiting.length === 0) clients.delete(name);
  }

  return {
    sum: (amountOf: AmountOf): number => list().reduce((total, client) => total + amountOf(client), 0),
    countClients: (): number => list().filter(({ waiting }) => waiting.length > 0).length,
    longestWaitMs(): number {
      const idle = list().filter(({ running }) => running === 0);
      return Math.max(0, ...idle.map(({ since }) => clock() - since));
    },
    find: (name: string): Client =>
      clients.get(name) ?? { name, waiting: [], waitingBytes: 0, running: 0, since: clock() },
    add(client: Client, job: Job): void {
      clients.set(client.name, client);
      client.waiting.push(job);
      client.waitingBytes += job.sizeBytes;
    },
    takeNext(): { client: Client; job: Job } | null {
      const [client] = list()
        .filter(({ waiting }) => waiting.length > 0)
        .sort((a, b) => a.running - b.running || a.since - b.since);
      if (client === undefined) return null;
      const job = client.waiting.shift()!;
      client.waitingBytes -= job.sizeBytes;
      client.running += 1;
      client.since = clock();
      return { client, job };
    },
    /** The newest job of the client that has most; null if that is no more than `others`. */
    dropLargest(amountOf: AmountOf, others: number): Job | null {
      const [largest] = list().sort((a, b) => amountOf(b) - amountOf(a));
      if (largest === undefined || amountOf(largest) <= others) return null;
      const job = largest.waiting.pop()!;
      largest.waitingBytes -= job.sizeBytes;
      forgetIdle(largest);
      return job;
    },
    end(client: Client): void {
      client.running -= 1;
      client.since = clock();
      forgetIdle(client);
    },
    clear: (): Job[] => list().flatMap(({ waiting }) => waiting.splice(0)),
  };
}

/** Of each new duration. */
const weight = 0.3;
const maxRetryAfterSeconds = 3600;

/** Refusals name the time after which to try again, from the duration of recent jobs. */
function createRefusals({ concurrent, usualMs, onRefused }: JobQueueOptions) {
  let meanMs = usualMs;
  return {
    make(limit: RefusedBy, jobsBefore: number, sentence: string): VerificationError {
      onRefused?.(limit);
      const seconds = Math.ceil((jobsBefore * meanMs) / concurrent / 1000);
      const retryAfterSeconds = Math.min(maxRetryAfterSeconds, Math.max(1, seconds));
      const message = `${sentence}, more are not accepted. Try again in ${retryAfterSeconds} seconds.`;
      return new VerificationError('too_many_jobs', message, { retryAfterSeconds });
    },
    learn(durationMs: number): void {
      meanMs += weight * (durationMs - meanMs);
    },
  };
}
