// Reads from one of several databases that hold the same ledger, a primary and its replicas: from the one that
// choose-place.ts names, which knows what was shown, also by other processes.
import { pause } from '../../kit/pause.ts';
import { type Database, QueryError } from '../wire/database.ts';

export type PlaceReader = {
  db: Database;
  /** Begins no more reads; true when those under way have ended, false when they take longer. */
  hold(withinMs: number): Promise<boolean>;
  /** Goes on, from this place. Until the first time everything waits. */
  go(place: number): void;
  /** What is being read there ends, and is read again elsewhere. */
  lose(place: number): void;
  /** It answers again. */
  regain(place: number): void;
  /** null before the first `go`. */
  current(): number | null;
  isHeld(): boolean;
};

export type PlaceReaderOptions = {
  places: readonly Database[];
  /** A read failed there as if it were lost. Resolves when it was looked at. */
  onFailure(place: number): Promise<void>;
};

export function createPlaceReader({ places, onFailure }: PlaceReaderOptions): PlaceReader {
  const lost = places.map(() => new AbortController());
  let current: number | null = null;
  let running = 0;
  let held: PromiseWithResolvers<void> | null = Promise.withResolvers();

  /** Repeats the read elsewhere where a place is lost, and there where it cancels a query because of what it replays. */
  async function read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      while (held) await held.promise;
      const place = current!;
      running += 1;
      try {
        return await unlessLost(work(places[place]!), lost[place]!.signal);
      } catch (error) {
        if (attempt === maxAttempts || !isOfThePlace(error)) throw error;
      } finally {
        running -= 1;
      }
      await onFailure(place);
      // Nothing else may be there yet, and what cancels a query goes on for a moment.
      if (current === place) await pause(attempt * betweenAttemptsMs);
    }
  }

  const primary = places.at(-1)!;
  return {
    db: {
      lacks: (table, column) => primary.lacks(table, column),
      isDistributed: primary.isDistributed,
      onUnreadable: primary.onUnreadable,
      query: (query) => read((db) => db.query(query)),
      snapshot: (work) => read((db) => db.snapshot(work)),
      check: () => read((db) => db.check()),
      hasRoom: () => places[current ?? places.length - 1]!.hasRoom(),
      connections: () => places[current ?? places.length - 1]!.connections(),
      close: async () => void (await Promise.all(places.map((db) => db.close()))),
    },
    async hold(withinMs) {
      held ??= Promise.withResolvers();
      for (const until = performance.now() + withinMs; running > 0; await pause(5)) {
        if (performance.now() > until) return false;
      }
      return true;
    },
    go(place) {
      current = place;
      held?.resolve();
      held = null;
    },
    lose(place) {
      lost[place]!.abort(new LostPlaceError());
    },
    regain(place) {
      if (lost[place]!.signal.aborted) lost[place] = new AbortController();
    },
    current: () => current,
    isHeld: () => held !== null,
  };
}

const maxAttempts = 5;
const betweenAttemptsMs = 20;

class LostPlaceError extends Error {
  constructor() {
    super('The database that was read from does not answer');
    this.name = 'LostPlaceError';
  }
}

/** SQLSTATE: the server ends or starts, the connection is lost, or a query stands in the way of what a replica replays. */
const placeStates = /^(57P0[1-3]|08...|40001)$/;

function isOfThePlace(error: unknown): boolean {
  if (error instanceof LostPlaceError) return true;
  return (
    error instanceof QueryError &&
    (error.code === undefined || placeStates.test(error.code) || /^E[A-Z]+$/.test(error.code))
  );
}

async function unlessLost<T>(work: Promise<T>, lost: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const tell = (): void => gone.reject(lost.reason);
  if (lost.aborted) tell();
  lost.addEventListener('abort', tell);
  return Promise.race([work, gone.promise]).finally(() => {
    lost.removeEventListener('abort', tell);
    // Where the place is lost, nothing waits for the work any more.
    work.catch(() => {});
  });
}
