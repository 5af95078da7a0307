// Files that exist whole or not at all: written under another name, then renamed. Existing files are never touched.
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Creates the file; false when it was there already. */
export async function createFileOnce(path: string, content: Uint8Array): Promise<boolean> {
  if (existsSync(path)) return false;
  await replaceFile(path, content);
  return true;
}

export async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(beside, content);
    await rename(beside, path);
  } catch (error) {
    // On a full disk a partial file takes the room that the next attempt needs.
    await rm(beside, { force: true });
    throw error;
  }
}

export function isUnfinishedFile(name: string): boolean {
  return name.endsWith('.tmp');
}
