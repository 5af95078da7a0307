// Objects that will be read soon, fetched before they are asked for: many at a time, since each takes a round trip, and only so
// many bytes, whatever the reader does.
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
      // The error is seen where the object is taken; an object that is not taken is no failure.
      bytes.then(countWhatCame, () => {});
    }
    waiting = waiting.slice(count);
  }

  return {
    /** What will be read, in that order; what was fetched and is no longer among it is dropped. */
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
    /** The object; it is fetched now where that did not happen yet. */
    async take(key: string): Promise<Buffer> {
      const found = fetched.get(key);
      waiting = waiting.filter((wanted) => wanted.key !== key);
      if (!found) return store.get(key);
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
