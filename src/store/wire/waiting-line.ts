// First come, first served; and it tells what who comes now would wait.

export type WaitingLine<T> = {
  size(): number;
  add(item: T): void;
  first(): T | undefined;
  /** Whose turn it is. */
  take(): T;
  /** How long the first has waited; 0 where there is none. */
  waitedMs(): number;
  /** At most so many of those that have waited for so long, without a turn; without figures, all. */
  drop(waitedMs?: number, max?: number): T[];
  /** From the time between two turns lately, and from how long the first has waited: nothing may have moved since it came. */
  expectedMs(): number;
};

/** Of each new figure. */
const weight = 0.1;

/** `clock`: ms, never set back. */
export function createWaitingLine<T>(clock: () => number = () => performance.now()): WaitingLine<T> {
  const items: { item: T; since: number }[] = [];
  // Between two turns, while more wait.
  let usualGapMs = 0;
  let lastTurn: number | null = null;

  return {
    size: () => items.length,
    add(item) {
      items.push({ item, since: clock() });
    },
    first: () => items[0]?.item,
    take() {
      const now = clock();
      if (lastTurn !== null) usualGapMs += weight * (now - lastTurn - usualGapMs);
      lastTurn = items.length > 1 ? now : null;
      return items.shift()!.item;
    },
    waitedMs,
    drop(waitedMs = 0, max = items.length) {
      const latest = clock() - waitedMs;
      const staying = items.findIndex(({ since }, index) => index >= max || since > latest);
      return items.splice(0, staying < 0 ? items.length : staying).map(({ item }) => item);
    },
    expectedMs: () => Math.max(items.length * usualGapMs, waitedMs()),
  };

  function waitedMs(): number {
    const [first] = items;
    return first ? clock() - first.since : 0;
  }
}
