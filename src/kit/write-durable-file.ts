// A file that is there as a whole or not at all, also after the process or the machine has died.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Replaces the file where there is one. Only its owner may read it. */
export function writeDurableFile(path: string, content: string | Uint8Array): void {
  const beside = `${path}.tmp`;
  try {
    writeFileSync(beside, content, { mode: 0o600, flush: true });
    renameSync(beside, path);
  } catch (error) {
    // On a full disk what was written in part takes the room that the next attempt needs.
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}
