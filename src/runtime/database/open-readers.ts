// The database that queries are answered from: the primary, or its replicas.

import type { Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../../packages/postgres/wire/database.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import type { PlaceChooserOptions, PlaceState, ReadPlace } from '../../../packages/store/replicas/choose-place.ts';
import {
  type ChoosingProcess,
  createLedDatabase,
  createReplicatedDatabase,
  type ReplicatedDatabase,
} from '../../../packages/store/replicas/replicated-database.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

export type OpenReadersOptions = DatabaseOptions & {
  settings: Settings;
  log: Logger;
  registry: Registry;
  /** For a worker: the process that chooses among replicas. */
  leader?: ChoosingProcess | undefined;
};

/** `blocks`: of replicas, which send no notifications of blocks; null = the database sends them. */
export type Readers = {
  db: Database;
  /** Writable. */
  primary: Database;
  blocks: BlockWatch | null;
};

/** Throws UsageError. */
export function openReaders({ settings, log, registry, leader, ...options }: OpenReadersOptions): Readers {
  const places = openPlaces(settings, options.connectionString, (url) =>
    openDatabase({ ...options, connectionString: url }),
  );
  const primary = places.at(-1)!;
  if (places.length === 1) return { db: primary.db, primary: primary.db, blocks: null };
  const db = leader
    ? createLedDatabase(places, leader)
    : createReplicatedDatabase({ primary, replicas: places.slice(0, -1), ...toChoice(settings, log) });
  showPlaces(registry, db);
  return { db, primary: primary.db, blocks: db.blocks };
}

/** The replicas, then the primary. Throws UsageError. */
export function openPlaces(settings: Settings, primaryUrl: string, open: (url: string) => Database): ReadPlace[] {
  return [...readReplicaUrls(settings), primaryUrl].map((url) => ({ name: nameOf(url), db: open(url) }));
}

export function toChoice(settings: Settings, log: Logger): Pick<PlaceChooserOptions, 'maxLagMs' | 'onMove'> {
  return {
    maxLagMs: 1000 * settings.get('replica-max-lag'),
    onMove(from, to, reason) {
      const sentence = `Queries go to ${to} in place of ${from}: `;
      if (reason === 'better') log.info(`${sentence}it comes first, and has all blocks again`);
      else log.warn(`${sentence}${reason === 'lost' ? 'it does not answer' : 'it is behind'}`);
    },
  };
}

/** Throws UsageError. */
export function readReplicaUrls(settings: Settings): string[] {
  const urls = (settings.find('replica-urls') ?? '').split(',').map((url) => url.trim());
  const given = urls.filter((url) => url !== '');
  if (given.some((url) => !/^postgres(ql)?:\/\//.test(url))) {
    throw new UsageError(
      '--replica-urls must be addresses such as postgres://user:password@host:port/database, with commas between them.',
    );
  }
  return given;
}

/** Host, port and database: the address has the password too. */
export function nameOf(connectionString: string): string {
  const url = URL.parse(connectionString.replace(/^([a-z]+:\/\/[^/?#]*@)\//, '$1socket/'));
  const host = url?.searchParams.get('host') ?? url?.hostname ?? 'unknown';
  const port = url?.searchParams.get('port') ?? (url?.port || '5432');
  return `${host}:${port}${url?.pathname ?? ''}`;
}

/** Anyone who reaches the port can read metrics: the machine's name is in the log only. */
function labelOf(index: number, places: number): string {
  return index === places - 1 ? 'primary' : `replica ${index + 1}`;
}

function showPlaces(registry: Registry, db: ReplicatedDatabase): void {
  const ofPlaces = (toValue: (place: PlaceState) => number) => (): Record<string, number> => {
    const places = db.places();
    return Object.fromEntries(places.map((place, index) => [labelOf(index, places.length), toValue(place)]));
  };
  const label = 'place';
  addGauge(registry, {
    name: 'ledger_mirror_database_answers',
    help: 'Whether a database, primary or replica, answers',
    label,
    aggregator: 'min',
    read: ofPlaces(({ endNs }) => Number(endNs !== null)),
  });
  addGauge(registry, {
    name: 'ledger_mirror_database_read',
    help: 'Processes that read from a database, primary or replica',
    label,
    read: ofPlaces(({ isRead }) => Number(isRead)),
  });
  addGauge(registry, {
    name: 'ledger_mirror_database_newest_block_seconds',
    help: 'Consensus end of the newest block of a database, primary or replica, as seconds since 1970',
    label,
    aggregator: 'max',
    read: ofPlaces(({ endNs }) => Number(endNs ?? 0n) / 1e9),
  });
}
