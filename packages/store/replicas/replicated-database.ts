// One database to read from, made of a primary and its replicas. The process chooses by itself, or follows its parent
// process, which chooses for several so that they answer as one.

import type { Database } from '../../postgres/wire/database.ts';
import type { BlockWatch } from '../notify/block-watch.ts';
import { choosePlace, type PlaceChooserOptions, type PlaceState, type ReadPlace } from './choose-place.ts';
import { createPlaceReader, type PlaceReader } from './place-reader.ts';

export type ReplicatedDatabase = Database & {
  /** Of the database that is read; each move is another turn, since another database may hear of a block first. */
  blocks: BlockWatch;
  places(): PlaceState[];
};

export type ReplicatedDatabaseOptions = Omit<PlaceChooserOptions, 'places' | 'readers'> & {
  primary: ReadPlace;
  /** In order of preference. */
  replicas: readonly ReadPlace[];
};

export function createReplicatedDatabase(options: ReplicatedDatabaseOptions): ReplicatedDatabase {
  const { primary, replicas, ...choice } = options;
  const places = [...replicas, primary];
  const reader = createPlaceReader({
    places: places.map(({ db }) => db),
    onFailure: (place) => chooser.onFailure(place),
  });
  const chooser = choosePlace({ ...choice, places, readers: reader });
  return toDatabase(reader, {
    epoch: chooser.epoch,
    places: chooser.places,
    close: chooser.close,
  });
}

/** The choosing process, as seen by one that follows it. */
export type ChoosingProcess = {
  onFailure(place: number): Promise<void>;
  /** Passes its choices to this reader from now on. */
  follow(reader: PlaceReader & { tell(ends: readonly (bigint | null)[], epoch: number): void }): void;
};

export function createLedDatabase(places: readonly ReadPlace[], leader: ChoosingProcess): ReplicatedDatabase {
  const reader = createPlaceReader({ places: places.map(({ db }) => db), onFailure: leader.onFailure });
  let known: readonly (bigint | null)[] = places.map(() => null);
  let epoch = 0;
  leader.follow({
    ...reader,
    tell(ends, itsEpoch) {
      known = ends;
      epoch = itsEpoch;
    },
  });
  return toDatabase(reader, {
    epoch: () => epoch,
    places: () => places.map(({ name }, i) => ({ name, endNs: known[i] ?? null, isRead: i === reader.current() })),
    close: async () => {},
  });
}

type Choice = { epoch(): number; places(): PlaceState[]; close(): Promise<void> };

function toDatabase(reader: PlaceReader, { epoch, places, close }: Choice): ReplicatedDatabase {
  let turns = 0;
  return {
    ...reader.db,
    blocks: {
      get turn() {
        turns += 1;
        return turns;
      },
      // Each database is asked again.
      confirmedMs: Number.NEGATIVE_INFINITY,
      get epoch() {
        return epoch();
      },
      get newestEnd() {
        const end = reader.isHeld() ? null : places().find(({ isRead }) => isRead)?.endNs;
        return end === undefined || end === null || end < 0n ? null : end;
      },
    },
    places,
    async close() {
      await close();
      await reader.db.close();
    },
  };
}
