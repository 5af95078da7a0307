// Walks down folders with stream files: symbolic links are followed, but never in a circle.
import type { Dirent } from 'node:fs';
import { access, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { TellPassedOver } from './passed-over.ts';

/** `above`: the folders above it and itself, with links resolved. */
export type EnteredFolder = { path: string; above: readonly string[] };

export async function enterRoot(path: string): Promise<EnteredFolder> {
  return { path, above: [await realpath(path).catch(() => path)] };
}

/** null for a dangling or circular link; the latter is reported. */
export async function enterFolder(
  parent: EnteredFolder,
  entry: Dirent,
  onPassedOver: TellPassedOver,
): Promise<EnteredFolder | null> {
  const path = join(parent.path, entry.name);
  if (!entry.isSymbolicLink()) return { path, above: [...parent.above, join(parent.above.at(-1)!, entry.name)] };
  try {
    const target = await realpath(path);
    if (!parent.above.includes(target)) return { path, above: [...parent.above, target] };
    onPassedOver({ path, reason: 'it is a symbolic link to a folder that it lies in' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') onPassedOver({ path, reason: 'it is a symbolic link that leads back to itself' });
    else if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  return null;
}

/** Empty if there is no such folder. */
export async function listFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Folders come and go while a network writes; a symbolic link may point to a file.
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

export function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
