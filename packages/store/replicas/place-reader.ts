// Reads from one of several databases that hold the same ledger, a primary and its replicas: the one that
// choose-place.ts names, which knows what has been shown, by other processes too.

import { pause } from '../../kit/pause.ts';
import { type Database, QueryError } from '../../postgres/wire/database.ts';

export type PlaceReader = {
  db: Database;
  /** Starts no more reads; true when the running ones have ended, false if they take longer. */
  hold(withinMs: number): Promise<boolean>;
  /** Continues, from this database. Reads wait until the first call. */
  go(place: number): void;
  /** Ends the reads that run there; they are repeated elsewhere. */
  lose(place: number): void;
  /** It answers again. */
  regain(place: number): void;
  /** null before the first `go`. */
  current(): number | null;
  isHeld(): boolean;
};

export type PlaceReaderOptions = {
  places: readonly Database[];
  /** A read failed there as if the database were lost. Resolves after it was polled. */
  onFailure(place: number): Promise<void>;
};

export function createPlaceReader({ places, onFailure }: PlaceReaderOptions): PlaceReader {
  const lost = places.map(() => new AbortController());
  let current: number | null = null;
  let running = 0;
  let held: PromiseWithResolvers<void> | null = Promise.withResolvers();

  /** Repeats the read elsewhere if a database is lost, and on the same one if replay cancels a query there. */
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
      // There may be no other database yet, and what cancels a query lasts a moment.
      if (current === place) await pause(attempt * betweenAttemptsMs);
    }
  }

  const primary = places.at(-1)!;
  return {
    db: {
      lacks: (table, column) => primary.lacks(table, column),
      isDistributed: primary.isDistributed,
      isCompact: primary.isCompact,
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

/** SQLSTATE: the server stops or starts, the connection is lost, or a query conflicts with what a replica replays. */
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
    // If the database is lost, nothing waits for the work any more.
    work.catch(() => {});
  });
}
