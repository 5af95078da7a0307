// Pages of lists that many follow: who asks for the same page while it is read, or shortly after, gets the same one.
import { LRUCache } from 'lru-cache';

/** `id`: that of its event. `at`: consensus time, ns. */
export type LiveItem = { id: string; at: bigint; text: string };

export type HeldReads = {
  /** Rejects as `read` does. What another one began, and left, is begun again. */
  share(key: string, read: () => Promise<LiveItem[]>, signal: AbortSignal): Promise<LiveItem[]>;
};

/** Each has a hundred items at most, some 200 kB. */
const maxPages = 16;

export function createHeldReads(): HeldReads {
  const pages = new LRUCache<string, Promise<LiveItem[]>>({ max: maxPages });

  return {
    async share(key, read, signal) {
      for (;;) {
        const held = pages.get(key);
        if (!held) return begin(key, read);
        try {
          return await held;
        } catch {
          // Its reader may have gone while it waited. Whoever asks next begins it, and learns why it fails.
          signal.throwIfAborted();
        }
      }
    },
  };

  function begin(key: string, read: () => Promise<LiveItem[]>): Promise<LiveItem[]> {
    const begun = read();
    pages.set(key, begun);
    begun.catch(() => {
      if (pages.peek(key) === begun) pages.delete(key);
    });
    return begun;
  }
}
