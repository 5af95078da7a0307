// Whether the data folder can be used, and has room.
import { statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '../settings/load-settings.ts';
import { FailedCheck } from './failed-check.ts';
import { findUsableFolder } from './find-usable-folder.ts';

/** Throws FailedCheck. */
export async function examineDataFolder(settings: Settings): Promise<string | null> {
  const folder = resolve(settings.get('data-dir'));
  const existing = findUsableFolder(folder);
  const { bavail, bsize } = statfsSync(existing);
  const freeMiB = (bavail * bsize) / 2 ** 20;
  if (freeMiB < 1024) throw new FailedCheck(`${Math.floor(freeMiB)} MiB free below ${folder}`, 'Free at least 1 GiB.');
  return `${folder}, ${Math.floor(freeMiB / 1024)} GiB free`;
}
