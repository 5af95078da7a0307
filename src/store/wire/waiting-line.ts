// First come, first served, with a bounded wait: the one place that decides which queries are refused for lack of time. It
// judges by the expected wait of a new item and the actual wait of one whose turn has come.

export type WaitingLine<T> = {
  size(): number;
  first(): T | undefined;
  /** Removes and returns the first. */
  take(): T;
  /** Whether a new item would be accepted. */
  hasRoom(): boolean;
  /** Refuses it if there is no room. */
  add(item: T): void;
  /** Refuses those that have waited too long. */
  refuseLate(): void;
  refuseAll(error: Error): void;
};

export type WaitingLineOptions<T> = {
  refuse(item: T, error: Error): void;
  /** An item that can expect to wait longer is refused at once (`queueIsFull`), and so is one that has waited longer. */
  maxExpectedWaitMs: number;
  /** Maximum wait of any item. */
  maxWaitMs: number;
  /** Runs in flight, and waiting ones. */
  countInFlight(): number;
  /** Whether nothing has been answered for so long. */
  isSilent(ms: number): boolean;
  /** Monotonic, ms. */
  clock?: () => number;
};

/** Error code of a query that was not even tried. */
export const queueIsFull = 'QUEUE_IS_FULL';

/** With that code: whether no connection has answered anything for the maximum wait of a query. */
export type QueueFullError = Error & { code: typeof queueIsFull; isSilent: boolean };

/**
 * This many queries are accepted in any case: a few long ones say nothing about the wait of short ones. With 32, requests
 * that ask several at a time were refused at 32 connections.
 */
export const alwaysInFlight = 40;

/** Of each new measurement. */
const weight = 0.1;

export function createWaitingLine<T>(options: WaitingLineOptions<T>): WaitingLine<T> {
  const { refuse, maxExpectedWaitMs, maxWaitMs, countInFlight, isSilent } = options;
  const { clock = () => performance.now() } = options;
  const items: { item: T; since: number }[] = [];
  // Between two turns, while more wait.
  let usualGapMs = 0;
  let lastTurn: number | null = null;

  const waitedMs = (): number => (items.length > 0 ? clock() - items[0]!.since : 0);

  /** From recent times between two turns, and from how long the first has waited: the line may not have moved since it came. */
  function hasRoom(): boolean {
    if (items.length === 0 || Math.max(items.length * usualGapMs, waitedMs()) <= maxExpectedWaitMs) return true;
    return countInFlight() < alwaysInFlight;
  }

  function full(): QueueFullError {
    const message = `${items.length} queries wait for a connection to PostgreSQL`;
    return Object.assign(new Error(message), { code: queueIsFull, isSilent: isSilent(maxWaitMs) } as const);
  }

  /** At most this many of those that have waited longer. */
  function drop(longerThanMs: number, max: number): T[] {
    const latest = clock() - longerThanMs;
    const staying = items.findIndex(({ since }, index) => index >= max || since >= latest);
    return items.splice(0, staying < 0 ? items.length : staying).map(({ item }) => item);
  }

  return {
    size: () => items.length,
    first: () => items[0]?.item,
    take() {
      const now = clock();
      if (lastTurn !== null) usualGapMs += weight * (now - lastTurn - usualGapMs);
      lastTurn = items.length > 1 ? now : null;
      return items.shift()!.item;
    },
    hasRoom,
    add(item) {
      if (hasRoom()) items.push({ item, since: clock() });
      else refuse(item, full());
    },
    refuseLate() {
      const waited = waitedMs();
      if (waited > maxWaitMs) {
        const message = `No connection to PostgreSQL was free for ${maxWaitMs / 1000} s`;
        const late = drop(maxWaitMs, items.length);
        for (const item of late) refuse(item, Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
      }
      if (waited <= maxExpectedWaitMs) return;
      for (const item of drop(maxExpectedWaitMs, Math.max(0, countInFlight() - alwaysInFlight))) refuse(item, full());
    },
    refuseAll(error) {
      for (const { item } of items.splice(0)) refuse(item, error);
    },
  };
}
