// Pages of lists that many follow: who asks for the same page while it is read, or shortly after, gets the same one.
import { LRUCache } from 'lru-cache';
import { currentClient } from '../../../packages/kit/shares/current-client.ts';
import { createSharedTurns } from '../../../packages/kit/shares/shared-turns.ts';
import type { TopicHub } from '../feed/topic-hub.ts';

/** `id`: that of its event. `at`: consensus time, ns. */
export type LiveItem = { id: string; at: bigint; text: string };

export type HeldReads = {
  /** Rejects as `read` does, and with the reason of the signal. What another one began, and failed, is begun again. */
  share(key: string, read: () => Promise<LiveItem[]>, signal: AbortSignal): Promise<LiveItem[]>;
};

/** Each has a hundred items at most, some 200 kB. */
const maxPages = 16;

/** `reads`: what is read at once. */
export function createHeldReads(reads: TopicHub['reads']): HeldReads {
  const pages = new LRUCache<string, LiveItem[]>({ max: maxPages });
  const turns = createSharedTurns<LiveItem[]>();

  return {
    async share(key, read, signal) {
      const held = pages.get(key);
      if (held) return held;
      for (;;) {
        let isOwn = false;
        const work = async (): Promise<LiveItem[]> => {
          isOwn = true;
          const page = await read();
          pages.set(key, page);
          return page;
        };
        try {
          return await turns.share(key, currentClient(), { work, enter: reads.pass, signal });
        } catch (error) {
          // The next caller begins it, and learns why it fails.
          signal.throwIfAborted();
          if (isOwn) throw error;
        }
      }
    },
  };
}
