// The query services that share this status service, by what they report: where they answer, and whether they still run.
import type { ServingPlace } from '../../http/status/status-control-routes.ts';
import { isAlive, readStartMark } from '../../store/embedded/running-process.ts';

export type ServingPlaces = {
  note(place: ServingPlace, now: number): void;
  forget(place: Pick<ServingPlace, 'url'>): void;
  /** Oldest first. A killed one is missed for an hour, then forgotten. */
  list(now: number): ServingPlace[];
  /** Those of processes that ended without taking leave. */
  listGone(now: number): ServingPlace[];
  /** Whether any of them runs, other than process `pid`. */
  isShared(pid: number | null, now: number): boolean;
};

const missedMs = 3_600_000;

export function createServingPlaces(): ServingPlaces {
  const places = new Map<string, { place: ServingPlace; at: number }>();

  const list = (now: number): ServingPlace[] => {
    for (const [url, { place, at }] of places) if (now - at > missedMs && isGone(place)) places.delete(url);
    return [...places.values()].map(({ place }) => place);
  };

  return {
    note: (place, now) => void places.set(place.url, { place, at: now }),
    forget: ({ url }) => void places.delete(url),
    list,
    listGone: (now) => list(now).filter(isGone),
    isShared: (pid, now) => list(now).some((place) => place.pid !== pid && !isGone(place)),
  };
}

function isGone({ pid, started }: ServingPlace): boolean {
  return !isAlive(pid) || (started !== null && readStartMark(pid) !== started);
}
