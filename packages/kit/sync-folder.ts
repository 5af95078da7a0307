import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes a rename in the folder survive a crash of the machine. Windows has no handle for a folder. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
