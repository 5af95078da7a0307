import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { FailedCheck } from './failed-check.ts';

/** The folder, or the nearest one above it that exists: files can be made there. Throws FailedCheck. Makes nothing. */
export function findUsableFolder(folder: string): string {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) {
    throw new FailedCheck(`${existing} is a file, and no folder`, 'Choose another folder with --data-dir.');
  }
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    throw new FailedCheck(
      `${existing} cannot be written by this user`,
      'Change its owner, or choose another folder with --data-dir.',
    );
  }
  if (statfsSync(existing).blocks === 0) {
    throw new FailedCheck(
      `${existing} keeps no files; it is a virtual file system`,
      'Choose another folder with --data-dir.',
    );
  }
  return existing;
}
