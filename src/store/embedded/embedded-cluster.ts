// What can be said of the built-in PostgreSQL of a data folder before it is started, and without making anything.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgresUser } from './postgres-user.ts';

export type EmbeddedCluster = {
  /** Folder of the database files. */
  folder: string;
  /** null = it is as it should be; else user ids: of the files, and of the user that PostgreSQL would run as. */
  foreignOwner: { owner: number; runsAs: { name: string; uid: number } } | null;
};

/** null = there is none yet: the first start makes it. */
export function findCluster(dataFolder: string): EmbeddedCluster | null {
  const pointer = join(dataFolder, 'postgres.location');
  const folder = join(existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : dataFolder, 'postgres');
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) return null;
  const user = findPostgresUser();
  const uid = user.identity.uid ?? process.getuid?.();
  const isForeign = uid !== undefined && process.platform !== 'win32' && found.uid !== uid;
  return { folder, foreignOwner: isForeign ? { owner: found.uid, runsAs: { name: user.name, uid } } : null };
}
