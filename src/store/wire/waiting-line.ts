// First come, first served, and nobody waits for too long: the one place that decides which questions are refused for want of
// time. It judges by the time in the line: what who comes now would wait, and what who leaves has waited.

export type WaitingLine<T> = {
  size(): number;
  first(): T | undefined;
  /** Whose turn it is. */
  take(): T;
  /** Whether who comes now would be taken in. */
  hasRoom(): boolean;
  /** Refuses it where there is no room. */
  add(item: T): void;
  /** Refuses those that have waited too long. */
  refuseLate(): void;
  refuseAll(error: Error): void;
};

export type WaitingLineOptions<T> = {
  refuse(item: T, error: Error): void;
  /** Who can expect to wait longer is refused at once (`queueIsFull`), and who has waited longer: others have not yet. */
  maxExpectedWaitMs: number;
  /** How long anything waits at most. */
  maxWaitMs: number;
  /** All that is asked at the moment, and what waits. */
  countInFlight(): number;
  /** Whether nothing has been answered for so long. */
  isSilent(ms: number): boolean;
  /** ms, never set back. */
  clock?: () => number;
};

/** Code of the error of a query that was not even tried. */
export const queueIsFull = 'QUEUE_IS_FULL';

/** Beside that code: whether no connection has answered anything for as long as a query waits at most. */
export type QueueFullError = Error & { code: typeof queueIsFull; isSilent: boolean };

/**
 * So many queries are asked or wait whatever that takes: a few long ones say nothing about what short ones would wait. With 32,
 * requests that ask several at a time were refused at 32 connections.
 */
export const alwaysInFlight = 40;

/** Of each new figure. */
const weight = 0.1;

export function createWaitingLine<T>(options: WaitingLineOptions<T>): WaitingLine<T> {
  const { refuse, maxExpectedWaitMs, maxWaitMs, countInFlight, isSilent } = options;
  const { clock = () => performance.now() } = options;
  const items: { item: T; since: number }[] = [];
  // Between two turns, while more wait.
  let usualGapMs = 0;
  let lastTurn: number | null = null;

  const waitedMs = (): number => (items.length > 0 ? clock() - items[0]!.since : 0);

  /** From the time between two turns lately, and from how long the first has waited: nothing may have moved since it came. */
  function hasRoom(): boolean {
    if (items.length === 0 || Math.max(items.length * usualGapMs, waitedMs()) <= maxExpectedWaitMs) return true;
    return countInFlight() < alwaysInFlight;
  }

  function full(): QueueFullError {
    const message = `${items.length} queries wait for a connection to PostgreSQL`;
    return Object.assign(new Error(message), { code: queueIsFull, isSilent: isSilent(maxWaitMs) } as const);
  }

  /** At most so many of those that have waited for longer. */
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
