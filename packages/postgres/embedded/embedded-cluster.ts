// What can be said of the built-in PostgreSQL of a data folder before it is started, and without making anything.
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { clusterOf } from './cluster-place.ts';
import { isOwnId, isTakenOver } from './postgres-user.ts';

export type EmbeddedCluster = {
  /** Folder of the database files. */
  folder: string;
  /** null = it is as it should be; else user ids: of the files, and of the program, which cannot use them. */
  foreignOwner: { owner: number; program: { name: string; uid: number } } | null;
};

/** null = there is none yet: the first start makes it. */
export function findCluster(dataFolder: string): EmbeddedCluster | null {
  const folder = clusterOf(dataFolder);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) return null;
  return { folder, foreignOwner: findForeignOwner(found.uid) };
}

/** Of root's data folder PostgreSQL has an id of its own, which no account has. */
function findForeignOwner(owner: number): EmbeddedCluster['foreignOwner'] {
  const uid = process.getuid?.();
  if (uid === undefined || process.platform === 'win32') return null;
  const isFine = uid === 0 ? isOwnId(owner) || isTakenOver(owner) : owner === uid;
  return isFine ? null : { owner, program: { name: userInfo().username, uid } };
}
