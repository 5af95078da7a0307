// Makes the data folder and missing parents so that the user who runs PostgreSQL can enter them, whatever the umask is;
// the database files inside are private. Existing folders are left as they are. (Not `mkdirSync` with `recursive`: Node
// 24 never returns from it below /proc.)
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export function makeDataFolder(dataFolder: string): void {
  try {
    makeFolder(dataFolder);
    if (!statSync(dataFolder).isDirectory()) throw new Error('it is a file');
    accessSync(dataFolder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `The data folder ${dataFolder} cannot be used: ${(error as Error).message}. Choose another with --data-dir.`,
      { cause: error },
    );
  }
}

function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
  chmodSync(folder, 0o755);
}
