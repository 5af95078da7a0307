// The newest file that any node of a network has left in a folder, by the instant in its name: whether the network writes,
// whatever becomes of its files. Lists whole folders, so it is not for every second.
import { readdir } from 'node:fs/promises';
import { findNodeFolders } from './node-folders.ts';

const instantInName = /^\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d(?:[.,]\d{1,9})?Z/;

/** The instant as it stands in the name; null where there is no file. */
export async function findNewestFileInstant(path: string): Promise<string | null> {
  let newest: string | null = null;
  for (const folder of await findNodeFolders(path)) {
    for (const name of await readdir(folder.path)) {
      const instant = instantInName.exec(name)?.[0];
      // Names are made to sort by time.
      if (instant !== undefined && (newest === null || instant > newest)) newest = instant;
    }
  }
  return newest;
}
