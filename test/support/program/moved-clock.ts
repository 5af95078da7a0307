// A clock for processes that can be moved while they run: libfaketime (Debian: libfaketime) answers in place of the
// system's. Timers go on at their pace, as where an administrator sets the clock.
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type MovedClock = {
  /** Of the processes that have it. */
  env: Record<string, string>;
  /** Seconds before (negative) or after the system's clock; seen by all within a second. */
  set(seconds: number): void;
};

const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.'].map(
  (place) => `/usr/lib/${place}/faketime/libfaketimeMT.so.1`,
);

/**
 * null where the library is not installed.
 * @param folder for the file that says the time; users that processes change to must reach it
 * @param isExact every process sees a move at once, and reads a file whenever it asks for the time
 */
export function openMovedClock(folder: string, isExact = false): MovedClock | null {
  const library = libraries.find((path) => existsSync(path));
  if (library === undefined) return null;
  const file = join(folder, 'clock');
  const set = (seconds: number): void => {
    writeFileSync(`${file}.tmp`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`, { mode: 0o644 });
    renameSync(`${file}.tmp`, file);
  };
  set(0);
  return {
    set,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // Times of files are the system's, in both directions.
      NO_FAKE_STAT: '1',
      ...(isExact ? { FAKETIME_NO_CACHE: '1' } : { FAKETIME_CACHE_DURATION: '1' }),
    },
  };
}
