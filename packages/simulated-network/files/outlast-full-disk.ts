// Repeats a step that writes to disk until there is room for it. A step can be repeated: files that it finished stay,
// and it writes the others again.
import { setTimeout as sleep } from 'node:timers/promises';
import { createBackOff } from '../../kit/back-off.ts';

export type FullDisk = {
  /** Repeats the step while the disk is full. Throws any other failure, and the signal's reason. */
  outlast<T>(step: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

export type FullDiskOptions = {
  /** Called once when the disk becomes full, and once when there is room again (null). */
  onChange(error: Error | null): void;
  firstDelayMs?: number;
};

const maxDelayMs = 10_000;

/** No room, no room for this user, no room for a file of this size. */
const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export function createFullDisk({ onChange, firstDelayMs = 250 }: FullDiskOptions): FullDisk {
  return {
    async outlast(step, signal) {
      let isFull = false;
      const delays = createBackOff(firstDelayMs, maxDelayMs);
      for (;;) {
        try {
          const result = await step();
          if (isFull) onChange(null);
          return result;
        } catch (error) {
          if (!fullCodes.has((error as NodeJS.ErrnoException).code)) throw error;
          if (!isFull) onChange(error as Error);
          isFull = true;
        }
        await sleep(delays.next(), undefined, { signal });
      }
    },
  };
}
