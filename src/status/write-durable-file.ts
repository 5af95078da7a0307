// A file that is there as a whole or not at all, also after the process or the machine has died.
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Only its owner may read it. */
export function writeDurableFile(path: string, text: string): void {
  const beside = `${path}.tmp`;
  try {
    writeFileSync(beside, text, { mode: 0o600, flush: true });
    renameSync(beside, path);
  } catch (error) {
    // Half a file would only take the room that is missing.
    rmSync(beside, { force: true });
    throw error;
  }
}
