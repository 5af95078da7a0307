// Gives files to the user that PostgreSQL runs as. Programs of the user who has had them could write there: first only
// root may enter, so that nothing is swapped on the way; what is linked from elsewhere is left as it is.
import { chmodSync, chownSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresUser } from './postgres-user.ts';

/** `folder` has the new owner when everything in it has: one that was interrupted begins again. */
export function takeOverFiles(folder: string, { identity: { uid, gid } }: PostgresUser): void {
  if (uid === undefined || gid === undefined) return;
  chownSync(folder, 0, 0);
  chmodSync(folder, 0o700);
  giveContent(folder, uid, gid);
  chownSync(folder, uid, gid);
}

function giveContent(folder: string, uid: number, gid: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isDirectory()) giveContent(path, uid, gid);
    // Another name of a file that may be anywhere.
    else if (found.nlink > 1) continue;
    lchownSync(path, uid, gid);
  }
}
