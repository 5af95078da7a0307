// One mirror a data folder: a lock file names the process that holds it. The lock of a process that has died is taken over.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, readStartMark } from './running-process.ts';

export type DataLock = { release(): void };

type Holder = { pid: number; started: string | null };

export function lockDataFolder(dataFolder: string): DataLock {
  const file = join(dataFolder, 'mirror.lock');
  const own: Holder = { pid: process.pid, started: readStartMark(process.pid) };
  // Written aside and linked, so that nobody ever reads half a lock.
  const prepared = `${file}.${process.pid}`;
  writeFileSync(prepared, JSON.stringify(own));
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        linkSync(prepared, file);
        return { release: () => rmSync(file, { force: true }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (attempt === 9 || (holder && isHeld(holder))) {
        throw new Error(
          `The data folder ${dataFolder} is in use by another mirror, process ${holder?.pid ?? 'unknown'}. Stop that one first, or give this one a folder of its own with --data-dir.`,
        );
      }
      rmSync(file, { force: true });
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
    // Released in this moment, or no lock of ours: nobody holds it.
    return null;
  }
}
