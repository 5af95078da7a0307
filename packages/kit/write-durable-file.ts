// A file that is written whole or not at all, even if the process or the machine crashes.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Replaces an existing file. Only its owner may read it. */
export function writeDurableFile(path: string, content: string | Uint8Array): void {
  const beside = `${path}.tmp`;
  try {
    writeFileSync(beside, content, { mode: 0o600, flush: true });
    renameSync(beside, path);
  } catch (error) {
    // On a full disk the partial file takes the room that the next attempt needs.
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}
