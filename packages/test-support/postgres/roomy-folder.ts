// A place for the temporary files of a test run.
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Bytes. A whole run takes less than half of it. */
const roomInMemory = 8 * 2 ** 30;

/**
 * In memory where there is room: ext4 searches long for an inode while many files come and go, and each database has
 * 700.
 */
export function findRoomyFolder(): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory) || process.availableMemory() < roomInMemory) return tmpdir();
  const { bsize, bavail } = statfsSync(inMemory);
  return bsize * bavail < roomInMemory ? tmpdir() : inMemory;
}
