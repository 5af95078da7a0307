// One mirror per data folder: a lock file names the process that holds it. The lock of a dead process is taken over. A
// live one gets some time, because a mirror takes a moment to end after its launcher was killed.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../kit/pause.ts';
import { isAlive, readStartMark } from './running-process.ts';

export type DataLock = { release(): void };

export type DataLockOptions = {
  /** How long to wait for another mirror to end. */
  waitMs: number;
  /** Called once if there is something to wait for. */
  log: (sentence: string) => void;
  /** Ends the wait. */
  signal?: AbortSignal;
};

type Holder = { pid: number; started: string | null };

/** Throws when another mirror still holds the folder after the wait. */
export async function lockDataFolder(dataFolder: string, { waitMs, log, signal }: DataLockOptions): Promise<DataLock> {
  const file = join(dataFolder, 'mirror.lock');
  const own: Holder = { pid: process.pid, started: readStartMark(process.pid) };
  // Written to a temporary name and linked, so that no process reads a partial lock.
  const prepared = `${file}.${process.pid}`;
  writeFileSync(prepared, JSON.stringify(own));
  const deadline = performance.now() + waitMs;
  let said = false;
  try {
    for (;;) {
      try {
        linkSync(prepared, file);
        return { release: () => rmSync(file, { force: true }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (!holder || !isHeld(holder)) {
        rmSync(file, { force: true });
        continue;
      }
      const inUse = `The data folder ${dataFolder} is in use by another mirror, process ${holder.pid}`;
      if (performance.now() >= deadline || signal?.aborted) {
        throw new Error(`${inUse}. Stop that one first, or give this one another folder with --data-dir.`);
      }
      if (!said) log(`${inUse}; waiting up to ${waitMs / 1000} s for it to end`);
      said = true;
      await pause(100, signal);
    }
  } finally {
    rmSync(prepared, { force: true });
  }
}

function isHeld({ pid, started }: Holder): boolean {
  return isAlive(pid) && (started === null || readStartMark(pid) === started);
}

function readHolder(file: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    return Number.isInteger(holder.pid) ? holder : null;
  } catch {
    // Just released, or not a lock of this program.
    return null;
  }
}
