// Some room that is kept for the moment in which the disk is full: given back then, so that the address of the service, its
// log and an operator's word can still be written.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type DiskReserve = {
  /** Throws where there is no room. */
  take(): void;
  giveBack(): void;
};

const reserveBytes = 128 * 1024;

export function createDiskReserve(folder: string): DiskReserve {
  const path = join(folder, 'reserve');
  return {
    take() {
      if (existsSync(path)) return;
      try {
        // Zeros could be kept as a hole by the file system.
        writeFileSync(path, Buffer.alloc(reserveBytes, 'reserve\n'), { mode: 0o600 });
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
    },
    giveBack: () => rmSync(path, { force: true }),
  };
}
