// Chooses which of a primary and its replicas is read from: the first replica of the list that answers and is not too
// far behind, else the primary. Invariant: no answer is older than an earlier one, whichever of the readers (which may
// be several processes) gave it. Therefore all readers read from one database and move together: after the running
// queries have ended, and only to a database that has everything that could have been seen so far.

import { pause } from '../../kit/pause.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { expression, selectQuery } from '../read/statement/columns.ts';
import type { PlaceReader } from './place-reader.ts';

export type ReadPlace = {
  /** For messages and metrics; without password. */
  name: string;
  db: Database;
};

/** endNs: of its newest block, -1 = none; null if it does not answer. */
export type PlaceState = { name: string; endNs: bigint | null; isRead: boolean };

/** All readers as one. */
export type PlaceReaders = Pick<PlaceReader, 'hold' | 'go' | 'lose' | 'regain'> & {
  /** After each poll. */
  tell?(ends: readonly (bigint | null)[], epoch: number): void;
};

type MoveReason = 'lost' | 'behind' | 'better';

export type PlaceChooserOptions = {
  /** In order of preference, the primary last. */
  places: readonly ReadPlace[];
  readers: PlaceReaders;
  /** A replica that is further behind the primary, in ledger time, is left. */
  maxLagMs: number;
  /** How often each is asked for its newest block. */
  pollMs?: number;
  /** How often to try to return to a preferred database. */
  returnEveryMs?: number;
  /** A database that does not answer within this time counts as dead. */
  answerMs?: number;
  onMove(from: string, to: string, reason: MoveReason): void;
};

export type PlaceChooser = {
  places(): PlaceState[];
  /** Of the database that is read; changes when it went back to an earlier block. */
  epoch(): number;
  /** Polls a database that failed, and moves if needed. */
  onFailure(place: number): Promise<void>;
  close(): Promise<void>;
};

const newestBlock = selectQuery({
  name: 'newest-of-place',
  select: expression('end', 'int8', 'max(consensus_end)').nullable(),
  from: 'from record_file',
});

export function choosePlace(options: PlaceChooserOptions): PlaceChooser {
  const { readers, maxLagMs, pollMs = 300, answerMs = 2_000, returnEveryMs = 5_000, onMove } = options;
  const { places, look, knownEnd } = watchPlaces(options.places, readers, answerMs);
  const primary = places.at(-1)!;
  const replicas = places.slice(0, -1);
  const closing = new AbortController();
  let current = primary;
  let epoch = 0;
  let returnedAtMs = Number.NEGATIVE_INFINITY;
  /** Reads are held while it is set. */
  let move: Promise<void> | null = null;
  readers.go(primary.index);
  const following = follow();

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      const before = current.endNs;
      await Promise.all(places.map(look));
      if (before !== null && current.endNs !== null && current.endNs < before) epoch += 1;
      tellEnds();
      await moveWhereNeeded();
      await pause(pollMs, closing.signal);
    }
  }

  function tellEnds(): void {
    const ends = places.map(({ endNs }) => endNs);
    readers.tell?.(ends, epoch);
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
    // Returning to a preferred database is worth only a short wait.
    const until = performance.now() + (isLeft ? answerMs : returnWithinMs);
    try {
      if (!(await readers.hold(until - performance.now())) && !isDead) return;
      // What the old database has shown lies at or before its newest block, or that of the primary.
      const shown = (isDead ? null : await look(from)) ?? (await look(primary)) ?? knownEnd();
      while (target.endNs !== null && target.endNs < shown && performance.now() < until) {
        await pause(20);
        await look(target);
      }
      if ((target.endNs ?? -1n) >= shown) current = target;
      // The primary has everything: it is better than a database that is dead or far behind.
      else if (isLeft && primary.endNs !== null) current = primary;
    } finally {
      tellEnds();
      readers.go(current.index);
    }
    if (current === from) return;
    onMove(from.name, current.name, from.endNs === null ? 'lost' : isBehind(from) ? 'behind' : 'better');
  }

  return {
    places: () => places.map((place) => ({ name: place.name, endNs: place.endNs, isRead: place === current })),
    epoch: () => epoch,
    async onFailure(place) {
      await look(places[place]!);
      await moveWhereNeeded();
    },
    async close() {
      closing.abort();
      await following;
    },
  };
}

type Place = ReadPlace & { index: number; endNs: bigint | null; looking: Promise<{ end: bigint | null }[]> | null };

/** `look`: newest block of a database; null if it does not answer in time. One that hangs is asked only once. */
function watchPlaces(given: readonly ReadPlace[], readers: PlaceReaders, answerMs: number) {
  const places = given.map((place, index): Place => ({ ...place, index, endNs: null, looking: null }));
  /** Everything that an answer can have shown lies at or before this end. */
  let knownEndNs = -1n;

  async function look(place: Place): Promise<bigint | null> {
    place.looking ??= place.db.query(newestBlock).finally(() => {
      place.looking = null;
    });
    // A caller that waits for it gets the error.
    place.looking.catch(() => {});
    try {
      const [row] = await within(place.looking, answerMs);
      if (place.endNs === null) readers.regain(place.index);
      place.endNs = row!.end ?? -1n;
      if (place.endNs > knownEndNs) knownEndNs = place.endNs;
    } catch {
      place.endNs = null;
      readers.lose(place.index);
    }
    return place.endNs;
  }

  return { places, look, knownEnd: () => knownEndNs };
}

/** How long reads are held in order to return to a preferred database. */
const returnWithinMs = 200;

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
