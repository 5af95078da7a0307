// Looks for one file of the block streams that replace record files, so that a mirror without record files can say why.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isBlockFileName } from '../protocol/record-stream/stream-file-name.ts';

/** Path of a block file below the folder, null when there is none. Follows the first few folders of each level only. */
export async function findBlockFile(path: string, depth = 8): Promise<string | null> {
  let entries: { name: string; isDirectory(): boolean }[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch {
    return null; // The folder may not exist yet: then there is no block file either.
  }
  const file = entries.find((entry) => isBlockFileName(entry.name));
  if (file) return join(path, file.name);
  if (depth === 0) return null;
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).slice(0, maxFolders);
  for (const folder of folders) {
    const found = await findBlockFile(join(path, folder.name), depth - 1);
    if (found) return found;
  }
  return null;
}

const maxFolders = 3;
