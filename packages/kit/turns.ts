// Long work in slices: a few slices of all such work at a time, clients in turn. While the thread is busy it is one, with
// a rest after each, so that everybody else has at least as much of the thread.
import { pause } from './pause.ts';
import { createClientLine } from './shares/client-line.ts';
import { currentClient } from './shares/current-client.ts';
import { doorShares } from './shares/door-shares.ts';

export type Turns = {
  /** For the current client. Rejects as the slice does, or with LineFull: too much waits already, or it waited too long. */
  take<T>(slice: () => Promise<T>): Promise<T>;
  waiting(): number;
  /** Whether the thread has little time. */
  isBusy(): boolean;
};

type LineShare = { places: number; kept: number; waitMs: number | null };

type Options = { isBusy(): boolean; door?: 'longAnswers' | 'longBodies' | 'pages'; maxWaiting?: number };

/** The rest is as long as the slice was, at most this. */
const maxRestMs = 500;

export function createTurns({ isBusy, door = 'longAnswers', maxWaiting = 100 }: Options): Turns {
  const { places, kept, waitMs }: LineShare = { kept: 0, ...doorShares[door] };
  const concurrent = () => (isBusy() ? 1 : places);
  const longest = waitMs === null ? {} : { maxWaitMs: waitMs };
  const line = createClientLine({ concurrent, kept, waiting: { count: maxWaiting }, ...longest });
  return {
    async take(slice) {
      const leave = await line.enter(currentClient());
      const begunMs = performance.now();
      try {
        return await slice();
      } finally {
        const tookMs = performance.now() - begunMs;
        if (isBusy()) void pause(Math.min(maxRestMs, tookMs)).then(leave);
        else leave();
      }
    },
    waiting: () => line.load().waiting,
    isBusy,
  };
}
