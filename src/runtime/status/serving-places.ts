// The query services that share this status service, by their reports: where they answer, and whether they still run.

import { isAlive, readStartMark } from '../../../packages/postgres/embedded/running-process.ts';
import type { ServingPlace } from '../../../packages/status/http/status-control-routes.ts';

export type ServingPlaces = ReturnType<typeof createServingPlaces>;

const missedMs = 3_600_000;

export function createServingPlaces() {
  const places = new Map<string, { place: ServingPlace; at: number }>();

  /** Oldest first. A killed one is reported missing for an hour, then forgotten. */
  const list = (now: number): ServingPlace[] => {
    for (const [url, { place, at }] of places) if (now - at > missedMs && isGone(place)) places.delete(url);
    return [...places.values()].map(({ place }) => place);
  };

  return {
    note: (place: ServingPlace, now: number) => void places.set(place.url, { place, at: now }),
    forget: ({ url }: Pick<ServingPlace, 'url'>) => void places.delete(url),
    list,
    /** Processes that ended without notice. */
    listGone: (now: number) => list(now).filter(isGone),
    /** Whether any of them runs, other than process `pid`. */
    isShared: (pid: number | null, now: number) => list(now).some((place) => place.pid !== pid && !isGone(place)),
  };
}

function isGone({ pid, started }: ServingPlace): boolean {
  return !isAlive(pid) || (started !== null && readStartMark(pid) !== started);
}
