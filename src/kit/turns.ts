// Long work in slices: one slice of all such work at a time, and while the thread is busy it rests after each, so that
// everybody else has at least as much of the thread.
import { pause } from './pause.ts';

export type Turns = {
  /** null = too much work waits already. Rejects as the slice does. */
  take<T>(slice: () => Promise<T>): Promise<T> | null;
  waiting(): number;
  /** Whether the thread has little time. */
  isBusy(): boolean;
};

type Options = { isBusy(): boolean; maxWaiting?: number };

/** The rest is as long as the slice was, at most this. */
const maxRestMs = 500;

export function createTurns({ isBusy, maxWaiting = 100 }: Options): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    take(slice) {
      if (waiting >= maxWaiting) return null;
      waiting += 1;
      const own = last.then(async () => {
        const begunMs = performance.now();
        try {
          return await slice();
        } finally {
          waiting -= 1;
          tookMs = performance.now() - begunMs;
        }
      });
      let tookMs = 0;
      last = own.then(rest, rest);
      return own;

      async function rest(): Promise<void> {
        if (isBusy()) await pause(Math.min(maxRestMs, tookMs));
      }
    },
    waiting: () => waiting,
    isBusy,
  };
}
