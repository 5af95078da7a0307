// Filters of clients that ask again and again: what each waits for, and from which block on it was not told yet. They are in
// the memory of this process, and bounded: the one that was not used longest is forgotten first.
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export type Filter = {
  /** Logs that it waits for; null = it waits for blocks. */
  logs: { addresses: readonly Buffer[]; topics: readonly (readonly Buffer[])[] } | null;
  /** Logs of earlier and later blocks are left out; null = without end. */
  from: bigint;
  to: bigint | null;
  /** The first block that was not told yet. */
  next: bigint;
};

export type Filters = {
  /** Its id. */
  add(filter: Filter): string;
  /** undefined = unknown, or forgotten. Used now. */
  find(id: string): Filter | undefined;
  /** Whether it was there. */
  remove(id: string): boolean;
  count(): number;
};

const maxAgeMs = 5 * 60_000;
const maxCount = 10_000;
const maxBytes = 16 * 2 ** 20;

export function createFilters(now: () => number = () => performance.now()): Filters {
  const kept = new LRUCache<string, Filter>({
    max: maxCount,
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    ttl: maxAgeMs,
    updateAgeOnGet: true,
    perf: { now },
  });
  return {
    add(filter) {
      const id = `0x${randomBytes(16).toString('hex').replace(/^0+/, '') || '0'}`;
      kept.set(id, filter);
      return id;
    },
    find: (id) => kept.get(id),
    remove: (id) => kept.delete(id),
    count: () => kept.size,
  };
}

/** Roughly: bytes of what a client sent, and 200 for the rest. */
function sizeOf({ logs }: Filter): number {
  if (!logs) return 200;
  const words = logs.addresses.length + logs.topics.reduce((sum, { length }) => sum + length, 0);
  return 400 + 150 * words;
}
