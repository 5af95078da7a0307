// Filters of clients that ask again and again: what each waits for, and the first block not sent yet. They
// are in the memory of this process, and bounded: of the client that has most the one that was not used longest is
// forgotten first.
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Registry } from 'prom-client';
import type { Place } from '../../../../packages/kit/shares/client-places.ts';
import { currentClient } from '../../../../packages/kit/shares/current-client.ts';
import { createDoorPlaces } from '../../../../packages/kit/shares/door-places.ts';
import { doorShares } from '../../../../packages/kit/shares/door-shares.ts';
import { growingTo } from '../../../../packages/kit/shares/growing-to.ts';

export type Filter = {
  /** Logs that it waits for; null = it waits for blocks. */
  logs: { addresses: readonly Buffer[]; topics: readonly (readonly Buffer[])[] } | null;
  /** Logs of earlier and later blocks are left out; null = without end. */
  from: bigint;
  to: bigint | null;
  /** The first block that was not sent yet. */
  next: bigint;
};

export type Filters = {
  /** Its id. For the current client. Throws PlacesFull. */
  add(filter: Filter): string;
  /** undefined = unknown, or forgotten. Used now. */
  find(id: string): Filter | undefined;
  /** Whether it was there. */
  remove(id: string): boolean;
  count(): number;
};

type Kept = { filter: Filter; places: Place[] };

const maxAgeMs = 5 * 60_000;
/** Those that are too old are forgotten when it is full, and not more often than this. */
const sweepEveryMs = 1000;

export function createFilters(registry: Registry, now: () => number = () => performance.now()): Filters {
  const rules = { registry, withdraws: 'oldest', replacesOwn: true } as const;
  const [counted, sized] = [createDoorPlaces('filters', rules), createDoorPlaces('filterBytes', rules)];
  const kept = new LRUCache<string, Kept>({
    ...growingTo(maxFilters),
    ...{ ttl: maxAgeMs, updateAgeOnGet: true, perf: { now } },
    dispose({ places }) {
      for (const { leave } of places) leave();
    },
  });
  let sweptMs = Number.NEGATIVE_INFINITY;

  function forgetOld(size: number): void {
    const isFull = counted.held() >= maxFilters || sized.held() + size > maxFilterBytes;
    if (!isFull || now() - sweptMs < sweepEveryMs) return;
    sweptMs = now();
    kept.purgeStale();
  }

  return {
    add(filter) {
      const id = `0x${randomBytes(16).toString('hex').replace(/^0+/, '') || '0'}`;
      const withdraw = (): void => void kept.delete(id);
      const [client, size] = [currentClient(), sizeOf(filter)];
      forgetOld(size);
      const places = [counted.enter(client, { withdraw })];
      try {
        places.push(sized.enter(client, { withdraw, size }));
      } catch (error) {
        places[0]!.leave();
        throw error;
      }
      kept.set(id, { filter, places });
      return id;
    },
    find(id) {
      const found = kept.get(id);
      for (const { use } of found?.places ?? []) use();
      return found?.filter;
    },
    remove: (id) => kept.delete(id),
    count: () => kept.size,
  };
}

const { places: maxFilters } = doorShares.filters;
const { places: maxFilterBytes } = doorShares.filterBytes;

/** Roughly: bytes of what a client sent, and 200 for the rest. */
function sizeOf({ logs }: Filter): number {
  if (!logs) return 200;
  const words = logs.addresses.length + logs.topics.reduce((sum, { length }) => sum + length, 0);
  return 400 + 150 * words;
}
