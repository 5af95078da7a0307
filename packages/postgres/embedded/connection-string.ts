// Where clients find the built-in PostgreSQL of a data folder.
import { join } from 'node:path';
import { databaseUser } from './cluster-folder.ts';
import { socketPort } from './socket-folder.ts';

export const databaseName = 'mirror';

type ServerAddress = {
  dataFolder: string;
  socketFolder: string;
  /** On Windows. */
  password: string | null;
};

export function connectionStringOf(
  { dataFolder, socketFolder, password }: ServerAddress,
  database = databaseName,
): string {
  if (password !== null) {
    return `postgresql://${databaseUser}:${password}@127.0.0.1:${windowsPort(dataFolder)}/${database}`;
  }
  return `postgresql://${databaseUser}@/${database}?host=${encodeURIComponent(socketFolder)}&port=${socketPort}`;
}

/** Windows has no private socket folders: a loopback port derived from the folder's name, and a password. */
export function windowsPort(dataFolder: string): number {
  const hash = [...dataFolder].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 16_384, 7);
  return 49_152 + hash;
}

export function passwordFile(dataFolder: string): string {
  return join(dataFolder, 'postgres.password');
}
