// The places of one door, as the table says, and what is counted of all doors.
import { Counter, type Registry } from 'prom-client';
import { type ClientPlaces, type ClientPlacesOptions, createClientPlaces, type PlacesFull } from './client-places.ts';
import { type DoorName, doorShares } from './door-shares.ts';

type Options = Omit<ClientPlacesOptions, 'max' | 'onRefused' | 'onWithdrawn'> & {
  registry: Registry;
  /** Where it is not the table's. */
  max?: number;
};

export function createDoorPlaces(door: DoorName, { registry, max, ...options }: Options): ClientPlaces {
  const { places, share } = doorShares[door];
  if (max === undefined && typeof places !== 'number') throw new Error(`How many ${door} there are is a setting.`);
  return createClientPlaces({
    ...(typeof share === 'number' && { perClient: share }),
    ...options,
    ...countPlaces(door, registry),
    max: max ?? (places as number),
  });
}

export type PlaceCounts = { onRefused(by: PlacesFull['by']): void; onWithdrawn(): void };

/** Present from the start: otherwise a rate misses the first one. */
export function countPlaces(door: DoorName, registry: Registry): PlaceCounts {
  const refused = findCounter(registry, {
    name: 'ledger_mirror_places_refused_total',
    help: 'Places that a client did not get, by door, for what it holds itself (client) or for what all hold (all).',
    labelNames: ['door', 'by'],
  });
  const withdrawn = findCounter(registry, {
    name: 'ledger_mirror_places_withdrawn_total',
    help: 'Places that the client with most had to give up for another one, by door.',
    labelNames: ['door'],
  });
  for (const by of ['client', 'all']) refused.inc({ door, by }, 0);
  withdrawn.inc({ door }, 0);
  return { onRefused: (by) => refused.inc({ door, by }), onWithdrawn: () => withdrawn.inc({ door }) };
}

type Described = { name: string; help: string; labelNames: string[] };

/** One for all doors of a process. */
function findCounter(registry: Registry, described: Described): Counter {
  const found = registry.getSingleMetric(described.name);
  return found instanceof Counter ? found : new Counter({ ...described, registers: [registry] });
}
