// Creates the network's folder and missing parent folders one by one: in Node 24 `mkdir` with `recursive` never returns
// below /proc.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Throws with the name of the folder and the reason. */
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
