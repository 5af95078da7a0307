// Queries that wait for a connection, with a bounded wait: the one place that decides which are refused for lack of
// time. It judges by the expected wait of a new item and the actual wait of one whose turn has come. Clients take
// turns, and the items of each are served in the order in which they came: one that asks a thousand at once delays
// another by one of them. Where there is no room, the client with least in the line takes a place from the one with
// most.

export type WaitingLine<T> = {
  size(): number;
  /** The next one of the clients that may go on; default: all may. It stays in the line. */
  first(mayGoOn?: (client: string) => boolean): { item: T; client: string } | undefined;
  /** Removes and returns the first one of this client, whose turn is over. */
  take(client: string): T;
  /** Whether a new item of this client would be accepted, be it in the place of another's. */
  hasRoom(client: string): boolean;
  /** Refuses it, or another one's, if there is no room. */
  add(item: T, client: string): void;
  /** Refuses those that have waited too long. */
  refuseLate(): void;
  refuseAll(error: Error): void;
};

export type WaitingLineOptions<T> = {
  refuse(item: T, error: Error): void;
  /**
   * An item that can expect to wait longer is refused at once (`queueIsFull`), and so is one that has waited longer.
   */
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
 * This many queries are accepted in any case: a few long ones say nothing about the wait of short ones. With 32,
 * requests that ask several at a time were refused at 32 connections.
 */
export const alwaysInFlight = 40;

/** Of each new measurement. */
const weight = 0.1;

type Entry<T> = { item: T; since: number };

export function createWaitingLine<T>(options: WaitingLineOptions<T>): WaitingLine<T> {
  const { refuse, maxExpectedWaitMs, maxWaitMs, countInFlight, isSilent } = options;
  const { clock = () => performance.now() } = options;
  const roll = createRoll<T>();
  // Between two turns, while more wait.
  let usualGapMs = 0;
  let lastTurn: number | null = null;

  /**
   * From recent times between two turns, from how long its first has waited, and from how long the line has not moved.
   */
  function expectedWaitMs(client: string): number {
    const now = clock();
    const stalledSince = Math.max(lastTurn ?? 0, roll.oldest()?.since ?? now);
    const since = Math.min(roll.oldest(client)?.since ?? now, stalledSince);
    return Math.max(roll.turnsBefore(client) * usualGapMs, now - since);
  }

  function hasFreeRoom(client: string): boolean {
    return roll.size() === 0 || countInFlight() < alwaysInFlight || expectedWaitMs(client) <= maxExpectedWaitMs;
  }

  /** Who has more than this one would have; null = none. */
  function findLarger(client: string): string | null {
    const most = roll.largest();
    return most !== null && most.entries.length > roll.countOf(client) + 1 ? most.client : null;
  }

  function full(): QueueFullError {
    const message = `${roll.size()} queries wait for a connection to PostgreSQL`;
    return Object.assign(new Error(message), { code: queueIsFull, isSilent: isSilent(maxWaitMs) } as const);
  }

  return {
    size: roll.size,
    first: roll.first,
    take(client) {
      const now = clock();
      if (lastTurn !== null) usualGapMs += weight * (now - lastTurn - usualGapMs);
      lastTurn = roll.size() > 1 ? now : null;
      return roll.take(client);
    },
    hasRoom: (client) => hasFreeRoom(client) || findLarger(client) !== null,
    add(item, client) {
      if (!hasFreeRoom(client)) {
        const larger = findLarger(client);
        if (larger === null) return refuse(item, full());
        refuse(roll.dropNewest(larger), full());
      }
      roll.add(client, { item, since: clock() });
    },
    refuseLate() {
      if (roll.size() === 0) return;
      const now = clock();
      const message = `No connection to PostgreSQL was free for ${maxWaitMs / 1000} s`;
      for (const item of roll.dropOlder(now - maxWaitMs)) {
        refuse(item, Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
      }
      for (let excess = countInFlight() - alwaysInFlight; excess > 0; excess--) {
        const most = roll.largest(now - maxExpectedWaitMs);
        if (most === null) return;
        refuse(roll.dropFirst(most.client), full());
      }
    },
    refuseAll(error) {
      for (const item of roll.dropOlder(Number.POSITIVE_INFINITY)) refuse(item, error);
    },
  };
}

/** Items by client, in the order of their turns. */
function createRoll<T>() {
  const clients = new Map<string, Entry<T>[]>();
  let size = 0;

  function remove(client: string, place: 0 | -1): T {
    const entries = clients.get(client)!;
    const { item } = place === 0 ? entries.shift()! : entries.pop()!;
    size -= 1;
    if (entries.length === 0) clients.delete(client);
    return item;
  }

  return {
    size: () => size,
    countOf: (client: string): number => clients.get(client)?.length ?? 0,
    add(client: string, entry: Entry<T>): void {
      const entries = clients.get(client);
      if (entries) entries.push(entry);
      else clients.set(client, [entry]);
      size += 1;
    },
    first(mayGoOn?: (client: string) => boolean): { item: T; client: string } | undefined {
      for (const [client, [first]] of clients) if (!mayGoOn || mayGoOn(client)) return { item: first!.item, client };
      return undefined;
    },
    take(client: string): T {
      const item = remove(client, 0);
      const entries = clients.get(client);
      if (entries && clients.size > 1) {
        clients.delete(client);
        clients.set(client, entries);
      }
      return item;
    },
    dropFirst: (client: string): T => remove(client, 0),
    dropNewest: (client: string): T => remove(client, -1),
    /** Of one client, or of all. */
    oldest(client?: string): Entry<T> | undefined {
      if (client !== undefined) return clients.get(client)?.[0];
      let oldest: Entry<T> | undefined;
      for (const [first] of clients.values()) if (!oldest || first!.since < oldest.since) oldest = first;
      return oldest;
    },
    /** How many are served before a new one of this client. */
    turnsBefore(client: string): number {
      const own = clients.get(client)?.length ?? 0;
      let turns = own;
      for (const [other, { length }] of clients) if (other !== client) turns += Math.min(length, own + 1);
      return turns;
    },
    /** The client with most items; of those whose first came before this time. */
    largest(before = Number.POSITIVE_INFINITY): { client: string; entries: readonly Entry<T>[] } | null {
      let most: { client: string; entries: readonly Entry<T>[] } | null = null;
      for (const [client, entries] of clients) {
        if (entries[0]!.since < before && entries.length > (most?.entries.length ?? 0)) most = { client, entries };
      }
      return most;
    },
    /** Drops what came before this time. */
    dropOlder(before: number): T[] {
      const dropped: T[] = [];
      for (const [client, entries] of [...clients]) {
        for (let left = entries.length; left > 0 && entries[0]!.since < before; left--) dropped.push(remove(client, 0));
      }
      return dropped;
    },
  };
}
