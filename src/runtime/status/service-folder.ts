// The folder of the status service: its lock, its name, the file with its address, and reserved disk space.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { writeDurableFile } from '../../../packages/kit/write-durable-file.ts';
import { makeDataFolder } from '../../../packages/postgres/embedded/data-folder.ts';
import { lockDataFolder } from '../../../packages/postgres/embedded/data-lock.ts';
import { createDiskReserve } from '../../../packages/status/disk-reserve.ts';
import { readStatusAddress, type StatusAddress, writeStatusAddress } from './status-service-file.ts';

export type ServiceFolder = Awaited<ReturnType<typeof openServiceFolder>>;

export async function openServiceFolder(folder: string, { log, signal }: { log: Logger; signal: AbortSignal }) {
  makeDataFolder(folder);
  const forStart = createDiskReserve(folder, 'start', 64 * 1024);
  const forLog = createDiskReserve(folder, 'log', 16 * 1024);
  // The following files have to be written even if the disk has become full since.
  forStart.giveBack();
  const lock = await lockDataFolder(folder, { waitMs: 5000, log: (sentence) => log.info(sentence), signal });
  let isAddressWritten = false;

  /** Whether there is room for both reserves. */
  function takeReserves(): boolean {
    try {
      forStart.take();
      forLog.take();
      return true;
    } catch (error) {
      log.debug({ err: error }, 'the disk has no room for a reserve');
      return false;
    }
  }

  return {
    takeReserves,
    /** Frees space for at least the next log line. */
    giveBackForLog: forLog.giveBack,
    /** Writes the service's address, and reserves disk space, as soon as there is room. */
    keep(address: StatusAddress): void {
      try {
        if (!isAddressWritten) writeStatusAddress(folder, address);
        isAddressWritten = true;
        takeReserves();
      } catch (error) {
        log.debug({ err: error }, 'the disk has no room yet');
      }
    },
    /** It was removed, or taken by another service. */
    isLost: () => isAddressWritten && readStatusAddress(folder)?.pid !== process.pid,
    release(): void {
      if (existsSync(folder)) lock.release();
    },
  };
}

/** A unique name: programs on one database compare it to find out whether they show the same status. */
export function readServiceIdentity(folder: string): string {
  const path = join(folder, 'identity');
  try {
    const known = readFileSync(path, 'utf8').trim();
    if (/^[0-9a-f]{16}$/.test(known)) return known;
  } catch {
    // The first start in this folder.
  }
  const identity = randomBytes(8).toString('hex');
  try {
    writeDurableFile(path, identity);
  } catch {
    // On a full disk it lasts until the next start.
  }
  return identity;
}
