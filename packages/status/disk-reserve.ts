// Disk space that is reserved and released when the disk is full: for the log line about it, or for the files of a
// start.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type DiskReserve = {
  /** Throws if there is no room. */
  take(): void;
  giveBack(): void;
};

export function createDiskReserve(folder: string, name: string, sizeBytes: number): DiskReserve {
  const path = join(folder, `reserve-${name}`);
  return {
    take() {
      if (existsSync(path)) return;
      try {
        // The file system could store zeros as a hole.
        writeFileSync(path, Buffer.alloc(sizeBytes, 'reserve\n'), { mode: 0o600 });
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
    },
    giveBack: () => rmSync(path, { force: true }),
  };
}
