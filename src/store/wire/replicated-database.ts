// One database to read from, made of a primary and its replicas. One of them is read from at a time: the first replica of the list that
// is there and not too far behind, else the primary. Invariant: no answer is older than one that was given before. Therefore
// the reading moves only when the queries under way have ended, and only to where everything is that could be seen so far.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlockWatch } from './block-watch.ts';
import { type Database, type NamedQuery, QueryError } from './database.ts';

type ReadPlace = {
  /** For messages and metrics; without password. */
  name: string;
  db: Database;
};

/** endNs: of its newest block, -1 = none; null where it does not answer. */
export type PlaceState = { name: string; endNs: bigint | null; isRead: boolean };

export type ReplicatedDatabaseOptions = {
  primary: ReadPlace;
  /** In order of preference. */
  replicas: readonly ReadPlace[];
  /** A replica that is further behind the primary, in time of the ledger, is left. */
  maxLagMs: number;
  /** How often each is asked for its newest block. */
  pollMs?: number;
  /** How often a better place is gone back to. */
  returnEveryMs?: number;
  /** One that does not answer this within the time is taken for dead. */
  answerMs?: number;
  onMove(from: string, to: string, reason: string): void;
};

export type ReplicatedDatabase = Database & {
  /** Of the place that is read; each look is another turn, since another place may tell of a block first. */
  blocks: BlockWatch;
  places(): PlaceState[];
};

type Place = ReadPlace & {
  endNs: bigint | null;
  /** Queries under way. */
  running: number;
  /** Aborts when it is taken for dead. */
  lost: AbortController;
  looking: Promise<{ end: bigint | null }[]> | null;
};

const newestBlock: NamedQuery<{ end: bigint | null }> = {
  name: 'newest-of-place',
  text: 'select max(consensus_end) as end from record_file',
};

export function createReplicatedDatabase(options: ReplicatedDatabaseOptions): ReplicatedDatabase {
  const { maxLagMs, pollMs = 300, answerMs = 2_000, returnEveryMs = 5_000, onMove } = options;
  const toPlace = (place: ReadPlace): Place => ({
    ...place,
    endNs: null,
    running: 0,
    lost: new AbortController(),
    looking: null,
  });
  const primary = toPlace(options.primary);
  const replicas = options.replicas.map(toPlace);
  const places = [...replicas, primary];
  const closing = new AbortController();
  /** Everything that an answer can have shown lies at or before this end. */
  let knownEndNs = -1n;
  let current = primary;
  let epoch = 0;
  let turns = 0;
  let returnedAtMs = Number.NEGATIVE_INFINITY;
  /** Held while the reading moves. */
  let move: Promise<void> | null = null;
  const following = follow();

  /** One that hangs is asked once. */
  async function look(place: Place): Promise<bigint | null> {
    place.looking ??= place.db.query<{ end: bigint | null }>(newestBlock).finally(() => {
      place.looking = null;
    });
    // Whoever waits for it is told.
    place.looking.catch(() => {});
    try {
      const [row] = await within(place.looking, answerMs);
      place.endNs = row!.end ?? -1n;
      if (place.lost.signal.aborted) place.lost = new AbortController();
      if (place.endNs > knownEndNs) knownEndNs = place.endNs;
    } catch (error) {
      place.endNs = null;
      place.lost.abort(new LostPlaceError(`${place.name} does not answer: ${(error as Error).message}`));
    }
    return place.endNs;
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      const before = current.endNs;
      await Promise.all(places.map(look));
      if (before !== null && current.endNs !== null && current.endNs < before) epoch += 1;
      await moveWhereNeeded();
      await sleep(pollMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  function isBehind({ endNs }: Place): boolean {
    return primary.endNs !== null && endNs !== null && primary.endNs - endNs > BigInt(maxLagMs) * 1_000_000n;
  }

  async function moveWhereNeeded(): Promise<void> {
    const best = replicas.find((place) => place.endNs !== null && !isBehind(place)) ?? primary;
    if (best === current || best.endNs === null) return;
    const isLeft = current.endNs === null || isBehind(current);
    if (!isLeft && performance.now() - returnedAtMs < returnEveryMs) return;
    if (!isLeft) returnedAtMs = performance.now();
    move ??= moveTo(best, isLeft).finally(() => {
      move = null;
    });
    await move;
  }

  async function moveTo(target: Place, isLeft: boolean): Promise<void> {
    const from = current;
    const isDead = from.endNs === null;
    // A better place is gone back to, but it is worth no long wait.
    const until = performance.now() + (isLeft ? answerMs : returnWithinMs);
    while (!isDead && from.running > 0) {
      if (performance.now() > until) return;
      await sleep(5);
    }
    // What the old place has shown lies at or before its newest block, or that of the primary.
    const shown = (isDead ? null : await look(from)) ?? (await look(primary)) ?? knownEndNs;
    while (target.endNs !== null && target.endNs < shown && performance.now() < until) {
      await sleep(20);
      await look(target);
    }
    if ((target.endNs ?? -1n) >= shown) enter(target, from);
    // The primary has everything: it is better than what is dead or far behind.
    else if (isLeft && primary.endNs !== null) enter(primary, from);
  }

  function enter(target: Place, from: Place): void {
    if (target === from) return;
    current = target;
    onMove(from.name, target.name, from.endNs === null ? 'it does not answer' : isBehind(from) ? 'it is behind' : '');
  }

  /** Asked again, elsewhere, where a place is lost; and there, where it cancels a query because of what it replays. */
  async function read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      while (move) await move;
      const place = current;
      place.running += 1;
      try {
        return await unlessLost(work(place.db), place.lost.signal);
      } catch (error) {
        if (attempt === maxAttempts || !isOfThePlace(error)) throw error;
      } finally {
        place.running -= 1;
      }
      await look(place);
      await moveWhereNeeded();
      // Nothing else may be there yet, and what cancels a query goes on for a moment.
      if (current === place) await sleep(attempt * betweenAttemptsMs);
    }
  }

  const database: ReplicatedDatabase = {
    blocks: {
      get turn() {
        turns += 1;
        return turns;
      },
      // Every place is asked anew.
      confirmedMs: Number.NEGATIVE_INFINITY,
      get epoch() {
        return epoch;
      },
      get newestEnd() {
        return move || current.endNs === null || current.endNs < 0n ? null : current.endNs;
      },
    },
    lacks: (table, column) => primary.db.lacks(table, column),
    isDistributed: primary.db.isDistributed,
    query: (query) => read((db) => db.query(query)),
    snapshot: (work) => read((db) => db.snapshot(work)),
    check: () => read((db) => db.check()),
    connections: () => current.db.connections(),
    places: () => places.map((place) => ({ name: place.name, endNs: place.endNs, isRead: place === current })),
    async close() {
      closing.abort();
      await following;
      await Promise.all(places.map(({ db }) => db.close()));
    },
  };
  return database;
}

const maxAttempts = 5;
const betweenAttemptsMs = 20;
/** How long reads are held to go back to a better place. */
const returnWithinMs = 200;

class LostPlaceError extends Error {
  constructor(message: string) {
    super(message);
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

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

async function unlessLost<T>(work: Promise<T>, lost: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const tell = (): void => gone.reject(lost.reason);
  if (lost.aborted) tell();
  lost.addEventListener('abort', tell);
  return Promise.race([work, gone.promise]).finally(() => {
    lost.removeEventListener('abort', tell);
    // Where the place is lost, nobody waits for the work any more.
    work.catch(() => {});
  });
}
