// The built-in PostgreSQL of a mirror that runs now, for a command that works beside it.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clusterOf } from './cluster-place.ts';
import { connectionStringOf, passwordFile } from './connection-string.ts';
import { isAlive, isPostgresOf } from './running-process.ts';
import { isListening } from './socket-folder.ts';

/** Its connection string; null = none runs for this data folder. */
export async function findRunningPostgres(folder: string): Promise<string | null> {
  const dataFolder = resolve(folder);
  const cluster = clusterOf(dataFolder);
  const server = readPidFile(join(cluster, 'postmaster.pid'));
  if (server === null || !isAlive(server.pid) || !isPostgresOf(server.pid, cluster)) return null;
  if (process.platform === 'win32') {
    const password = readFileSync(passwordFile(dataFolder), 'utf8').trim();
    return connectionStringOf({ dataFolder, socketFolder: server.socketFolder, password });
  }
  if (!(await isListening(server.socketFolder))) return null;
  return connectionStringOf({ dataFolder, socketFolder: server.socketFolder, password: null });
}

/** Its first line is the process id, the fifth the folder of the socket. */
function readPidFile(path: string): { pid: number; socketFolder: string } | null {
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`The database of the running mirror cannot be found: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return Number.isInteger(pid) && pid > 0 ? { pid, socketFolder: lines[4]?.trim() ?? '' } : null;
}
