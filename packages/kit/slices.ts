// Long work on the thread that answers, in slices: after each of them others have the thread for as long.
import { setTimeout as sleep } from 'node:timers/promises';

export type Slices = {
  /** Asked often: it takes a tenth of a microsecond. */
  isOver(): boolean;
  /** Returns when the next one may begin. */
  next(): Promise<void>;
};

/** Another request waits for one at each of its steps. */
const defaultSliceMs = 5;

export function createSlices(sliceMs = defaultSliceMs): Slices {
  let endMs = performance.now() + sliceMs;
  return {
    isOver: () => performance.now() >= endMs,
    async next() {
      await sleep(sliceMs);
      endMs = performance.now() + sliceMs;
    },
  };
}
