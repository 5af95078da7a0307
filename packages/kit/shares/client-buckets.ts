// Rates: what a client may take in a second, and all clients together. Buckets that are refilled steadily; each process
// has its own.
import { LRUCache } from 'lru-cache';
import { growingTo } from './growing-to.ts';

type RateRefusal = { by: 'client' | 'all'; retryAfterMs: number };

export type ClientBuckets = {
  /** null = it is taken, from the client and from all. Otherwise nothing is. */
  take(client: string, amount: number): RateRefusal | null;
  giveBack(client: string, amount: number): void;
};

export type ClientBucketsOptions = {
  /** In a second, and at once. */
  perClient: number;
  all: number;
  /** Monotonic, ms. */
  clock?: () => number;
};

type Bucket = { held: number; at: number };

/** Clients in memory; the one that was silent longest is forgotten: its bucket is full, or nearly. */
const maxClients = 100_000;

export function createClientBuckets({
  perClient,
  all,
  clock = () => performance.now(),
}: ClientBucketsOptions): ClientBuckets {
  const buckets = new LRUCache<string, Bucket>(growingTo(maxClients));
  const ofAll: Bucket = { held: all, at: clock() };

  function find(client: string): Bucket {
    const known = buckets.get(client);
    if (known) return refill(known, perClient, clock());
    const fresh = { held: perClient, at: clock() };
    buckets.set(client, fresh);
    return fresh;
  }

  return {
    take(client, amount) {
      const own = find(client);
      const every = refill(ofAll, all, clock());
      if (amount > own.held) return { by: 'client', retryAfterMs: timeFor(amount - own.held, perClient) };
      if (amount > every.held) return { by: 'all', retryAfterMs: timeFor(amount - every.held, all) };
      own.held -= amount;
      every.held -= amount;
      return null;
    },
    giveBack(client, amount) {
      const own = find(client);
      own.held = Math.min(perClient, own.held + amount);
      refill(ofAll, all, clock()).held = Math.min(all, ofAll.held + amount);
    },
  };
}

function refill(bucket: Bucket, perSecond: number, now: number): Bucket {
  bucket.held = Math.min(perSecond, bucket.held + ((now - bucket.at) / 1000) * perSecond);
  bucket.at = now;
  return bucket;
}

/** Until as much is missing no more, ms. */
function timeFor(missing: number, perSecond: number): number {
  return perSecond === 0 ? Number.POSITIVE_INFINITY : (missing / perSecond) * 1000;
}
