// Makes the network's folder and, where they are missing, the folders above it, one by one: Node 24 never returns from
// `mkdir` with `recursive` below /proc.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Throws with the folder's name and what is wrong with it. */
export function makeOutputFolder(folder: string): void {
  try {
    make(resolve(folder));
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
  } catch (error) {
    throw new Error(`The folder ${folder} cannot be used for stream files: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function make(folder: string): void {
  if (existsSync(folder)) return;
  make(dirname(folder));
  mkdirSync(folder);
}
