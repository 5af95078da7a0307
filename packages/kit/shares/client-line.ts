// Work of many clients, a few pieces at a time. Clients take turns: who has fewest running comes first, then who has
// taken least time lately, then who has waited longest, so that others wait for only one piece of a client's many. What
// waits is bounded, for each client and for all: when it is full, the client with least in it takes a place from the
// one with most.

import { type Cause, CausedError, causeOfRefusal } from './cause.ts';
import { type AmountOf, type Client, type ClientRoll, createClientRoll, type Waiting } from './client-roll.ts';
import { createSpentTimes } from './spent-times.ts';

/** `client`: the client has its share; `all`: too much waits; `time`: it has waited too long. */
export type LineRefusal = 'client' | 'all' | 'time';

export class LineFull extends CausedError {
  readonly by: LineRefusal;
  readonly causedBy: Cause;
  /** When a try may succeed, ms. */
  readonly retryAfterMs: number;

  /** `isOfOwn`: what it waited for is its client's own work. */
  constructor(by: LineRefusal, retryAfterMs: number, isOfOwn = by === 'client') {
    super(refusalTexts[by]);
    this.name = 'LineFull';
    this.by = by;
    this.causedBy = causeOfRefusal(isOfOwn ? 'client' : by);
    this.retryAfterMs = retryAfterMs;
  }
}

const refusalTexts: Record<LineRefusal, string> = {
  client: 'The client has its share of what runs and waits.',
  all: 'Too much waits, and the client has as much of it as others.',
  time: 'It has waited too long.',
};

export type ClientLine = {
  /**
   * Resolves with what ends the turn. Rejects with LineFull, with the reason of the signal while it waits, or with that
   * of `close`.
   */
  enter(client: string, options?: EnterOptions): Promise<() => void>;
  /** The same around one function; rejects as it does, too. */
  pass<T>(client: string, work: () => Promise<T>, options?: EnterOptions): Promise<T>;
  /** Counts time beside that between begin and end of a turn, ms. */
  spend(client: string, ms: number): void;
  load(): LineLoad;
  /** What waits is rejected with the reason. Resolves when nothing runs. */
  close(reason: Error): Promise<void>;
};

/** `size`: what it holds while it waits, such as bytes. */
type EnterOptions = { size?: number; signal?: AbortSignal };

type LineLoad = {
  running: number;
  waiting: number;
  /** How long the client that has waited longest without anything running has been waiting. */
  waitMs: number;
};

export type ClientLineOptions = {
  /** How many run at a time; a function is asked each time. */
  concurrent: number | (() => number);
  /** So many run beyond that, of clients that run nothing and have taken little time lately. */
  kept?: number;
  /** What counts as little, ms, of what is remembered: a client that has one place all the time comes to 14,000. */
  littleMs?: number;
  waiting: { count: number; size?: number };
  /**
   * Of one client: running and waiting together; what the waiting ones hold; how many of it run at a time, beyond which
   * they wait. One that holds more than `size` by itself may wait.
   */
  perClient?: { count?: number; size?: number; running?: number };
  maxWaitMs?: number;
  /** Assumed duration until some were seen, ms. */
  usualMs?: number;
  onRefused?(by: LineRefusal): void;
  /** Monotonic, ms. */
  clock?: () => number;
};

/** Work of the program itself, which has no share and no limit. No client has an empty name. */
export const ownWork = '';

const unbounded = Number.POSITIVE_INFINITY;
const usualLittleMs = 250;
const countOf: AmountOf = ({ waiting }) => waiting.length;
const sizeOf: AmountOf = ({ size }) => size;

export function createClientLine(options: ClientLineOptions): ClientLine {
  const { kept = 0, maxWaitMs, clock = () => performance.now() } = options;
  const concurrent = typeof options.concurrent === 'number' ? () => options.concurrent as number : options.concurrent;
  const spent = createSpentTimes(clock);
  const usual = createUsualDuration(options.usualMs ?? 1000);
  const roll = createClientRoll({
    ...{ concurrent, kept, spent, clock },
    littleMs: options.littleMs ?? usualLittleMs,
    runningPerClient: options.perClient?.running ?? unbounded,
  });
  const refusal = (by: LineRefusal, before: number, isOfOwn?: boolean): LineFull => {
    options.onRefused?.(by);
    return new LineFull(by, (before * usual.ms()) / Math.max(1, concurrent()), isOfOwn);
  };
  const assertRoom = createBounds(options, roll, refusal);
  let closed: Error | null = null;
  let settle: (() => void) | null = null;

  function startNext(): void {
    for (let next = roll.takeNext(); next !== null; next = roll.takeNext()) next.one.begin(next.isKept);
  }

  function end(client: Client, isKept: boolean, tookMs: number): void {
    spent.add(client.name, tookMs);
    usual.learn(tookMs);
    roll.end(client, isKept);
    startNext();
    if (roll.totals.running === 0) settle?.();
  }

  /** Resolves with whether it has a kept place. */
  async function begin(client: Client, { size = 0, signal }: EnterOptions): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const one: Waiting = { size, begin: resolve, refuse: reject };
    const leaveLine = (error: () => Error): void => {
      if (roll.remove(client, one)) reject(error());
    };
    roll.add(client, one);
    startNext();
    if (!client.waiting.includes(one)) return promise;
    const onAbort = (): void => leaveLine(() => signal!.reason as Error);
    const begunBefore = client.begun;
    // Others of its client run, or had their turn meanwhile.
    const isOfOwn = (): boolean => client.running > 0 || client.begun > begunBefore;
    const onLate = (): void => leaveLine(() => refusal('time', roll.totals.waiting + 1, isOfOwn()));
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = maxWaitMs === undefined ? undefined : setTimeout(onLate, maxWaitMs).unref();
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  async function enter(name: string, enterOptions: EnterOptions = {}): Promise<() => void> {
    if (closed) throw closed;
    enterOptions.signal?.throwIfAborted();
    const client = roll.find(name);
    assertRoom(client, enterOptions.size ?? 0);
    const isKept = await begin(client, enterOptions);
    const beganMs = clock();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      end(client, isKept, clock() - beganMs);
    };
  }

  return {
    enter,
    async pass(client, work, enterOptions) {
      const leave = await enter(client, enterOptions);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    spend: spent.add,
    load: () => ({ running: roll.totals.running, waiting: roll.totals.waiting, waitMs: roll.waitMs() }),
    async close(reason) {
      closed = reason;
      for (const one of roll.takeAllWaiting()) one.refuse(reason);
      if (roll.totals.running === 0) return;
      await new Promise<void>((done) => {
        settle = done;
      });
    },
  };
}

type Refuse = (by: LineRefusal, before: number) => LineFull;

/** The function throws LineFull. */
function createBounds({ waiting: bounds, perClient = {} }: ClientLineOptions, roll: ClientRoll, refusal: Refuse) {
  const { totals } = roll;

  /** Refuses the newest work of the clients that have most, as long as this one then has no more than they. */
  function makeRoom(client: Client, added: number, { amountOf, sum, max }: Bound): void {
    while (sum() + added > max) {
      const largest = roll.largest(amountOf);
      const full = refusal('all', totals.waiting + 1);
      if (largest === null || amountOf(largest) <= amountOf(client) + added) throw full;
      roll.removeNewest(largest).refuse(full);
    }
  }

  return (client: Client, size: number): void => {
    if (client.name !== ownWork) {
      const count = client.waiting.length + client.running;
      const isLarge = client.size > 0 && client.size + size > (perClient.size ?? unbounded);
      // Its next turn comes after one of each other client.
      if (count >= (perClient.count ?? unbounded) || isLarge) throw refusal('client', roll.countWaitingClients() + 1);
    }
    if (roll.mayBegin(client)) return;
    makeRoom(client, 1, { amountOf: countOf, sum: () => totals.waiting, max: bounds.count });
    makeRoom(client, size, { amountOf: sizeOf, sum: () => totals.size, max: bounds.size ?? unbounded });
  };
}

type Bound = { amountOf: AmountOf; sum(): number; max: number };

/** Of each new duration. */
const weight = 0.3;

function createUsualDuration(usualMs: number) {
  let mean = usualMs;
  return {
    ms: () => mean,
    learn(ms: number): void {
      mean += weight * (ms - mean);
    },
  };
}
