// Fetches objects before they are read: many at a time, since each takes a round trip, but a bounded number of bytes.
import type { AskedStore } from './ask-again.ts';

export type WantedObject = { key: string; sizeBytes: number };

export type FetchAhead = ReturnType<typeof createFetchAhead>;

export function createFetchAhead(store: AskedStore, maxBytes: number) {
  const fetched = new Map<string, { bytes: Promise<Buffer>; sizeBytes: number; stop: AbortController }>();
  let heldBytes = 0;
  let waiting: readonly WantedObject[] = [];

  function drop(key: string): void {
    heldBytes -= fetched.get(key)?.sizeBytes ?? 0;
    fetched.delete(key);
  }

  function fetchMore(): void {
    let count = 0;
    for (const { key, sizeBytes } of waiting) {
      if (heldBytes + sizeBytes > maxBytes) break;
      count++;
      const stop = new AbortController();
      const bytes = store.get(key, stop.signal);
      const entry = { bytes, sizeBytes, stop };
      fetched.set(key, entry);
      heldBytes += sizeBytes;
      const countWhatCame = ({ length }: Buffer): void => {
        if (fetched.get(key) !== entry) return;
        heldBytes += length - entry.sizeBytes;
        entry.sizeBytes = length;
      };
      // The error is thrown when the object is taken; an object that is never taken is no failure.
      bytes.then(countWhatCame, () => {});
    }
    waiting = waiting.slice(count);
  }

  return {
    /** Objects that will be read soon, in order; fetched ones that are no longer among them are dropped. */
    want(objects: readonly WantedObject[]): void {
      const keys = new Set(objects.map(({ key }) => key));
      for (const [key, { stop }] of fetched) {
        if (keys.has(key)) continue;
        stop.abort();
        drop(key);
      }
      waiting = objects.filter(({ key }) => !fetched.has(key));
      fetchMore();
    },
    /** The object; fetched now if it was not yet. */
    async take(key: string, signal?: AbortSignal): Promise<Buffer> {
      const found = fetched.get(key);
      waiting = waiting.filter((wanted) => wanted.key !== key);
      if (!found) return store.get(key, signal);
      drop(key);
      fetchMore();
      return found.bytes;
    },
    close(): void {
      for (const { stop } of fetched.values()) stop.abort();
      fetched.clear();
      heldBytes = 0;
      waiting = [];
    },
  };
}
