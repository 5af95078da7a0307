// Where the database files of a data folder are: in it, or where its pointer says, because the user of PostgreSQL could
// not enter.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that has `postgres`; null = no pointer leads elsewhere. */
export function readPointer(dataFolder: string): string | null {
  const pointer = pointerOf(dataFolder);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : null;
}

export function pointerOf(dataFolder: string): string {
  return join(dataFolder, 'postgres.location');
}

/** The database files, whether there are any or not. */
export function clusterOf(dataFolder: string): string {
  return join(readPointer(dataFolder) ?? dataFolder, 'postgres');
}
