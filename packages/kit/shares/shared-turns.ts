// Work that several clients wait for, done once for all of them. Each client waits for its own turn at it, and the
// first whose turn comes begins it: no client waits behind what another client waits for.

export type SharedTurns<T> = {
  /** Rejects as the work does, and with the reason of the signal while it has not begun. */
  share(key: string, client: string, asked: SharedWork<T>): Promise<T>;
};

type SharedWork<T> = {
  work(): Promise<T>;
  /**
   * Calls `begin` when it is the client's turn, and settles as that does. Rejects when the signal aborts while it
   * waits.
   */
  enter(begin: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Its client is gone. */
  signal?: AbortSignal;
};

type Turn<T> = { settled: Promise<T>; leaving: AbortController };
type Shared<T> = { result: Promise<T> | null; turns: Map<string, Turn<T>> };

/** Clients that wait for a turn at the same; further ones wait for the first of these. */
const maxClients = 8;

export function createSharedTurns<T>(): SharedTurns<T> {
  const all = new Map<string, Shared<T>>();

  function begin(key: string, shared: Shared<T>, client: string, work: () => Promise<T>): Promise<T> {
    if (shared.result) return shared.result;
    shared.result = work().finally(() => {
      if (all.get(key) === shared) all.delete(key);
    });
    // The others need no turn any more.
    for (const [name, { leaving }] of shared.turns) if (name !== client) leaving.abort(begunElsewhere);
    return shared.result;
  }

  function wait(key: string, shared: Shared<T>, client: string, { work, enter, signal }: SharedWork<T>): Turn<T> {
    const leaving = new AbortController();
    const either = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
    const settled = enter(() => begin(key, shared, client, work), either).finally(() => {
      shared.turns.delete(client);
      if (shared.turns.size === 0 && !shared.result && all.get(key) === shared) all.delete(key);
    });
    const turn = { settled, leaving };
    shared.turns.set(client, turn);
    return turn;
  }

  return {
    async share(key, client, asked) {
      for (;;) {
        asked.signal?.throwIfAborted();
        const shared = all.get(key) ?? { result: null, turns: new Map<string, Turn<T>>() };
        all.set(key, shared);
        if (shared.result) return shared.result;
        const isOther = shared.turns.has(client) || shared.turns.size >= maxClients;
        try {
          if (!isOther) return await wait(key, shared, client, asked).settled;
          // One of these begins it, or goes away.
          await Promise.race([...shared.turns.values()].map(({ settled }) => settled));
        } catch (error) {
          if (!isOther && error !== begunElsewhere) throw error;
        }
      }
    },
  };
}

const begunElsewhere = new Error('Another client has begun it.');
