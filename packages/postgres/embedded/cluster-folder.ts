// Where the database files are. initdb makes them aside and they are moved into place, so that an interrupted first
// start leaves nothing incomplete. Never deletes a cluster.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pointerOf, readPointer } from './cluster-place.ts';
import type { PostgresProgram } from './postgres-program.ts';
import { findClosedFolder, findKnownUser, type PostgresUser } from './postgres-user.ts';
import { takeOverFiles } from './take-over-files.ts';

export const databaseUser = 'mirror';

/**
 * Folder for files that the user of PostgreSQL must reach: the data folder, or a system folder where that is closed.
 */
export function findReachableFolder(dataFolder: string, user: PostgresUser, log: (sentence: string) => void): string {
  const known = readPointer(dataFolder);
  if (known !== null) return known;
  const pointer = pointerOf(dataFolder);
  const closed = findClosedFolder(dataFolder, user);
  if (closed === null) return dataFolder;
  // A new one each time: after the data folder was removed, the old database must not come back.
  const folder = `/var/lib/ledger-mirror/${randomBytes(6).toString('hex')}`;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(pointer, `${folder}\n`);
  log(
    `PostgreSQL runs as the user ${user.name}, who may not enter ${closed}: the database files are in ${folder} (see ${pointer})`,
  );
  return folder;
}

export type ClusterOptions = {
  cluster: string;
  program: PostgresProgram;
  user: PostgresUser;
  passwordFile: string | null;
  durable: boolean;
};

/** Makes the cluster if there is none yet. */
export async function prepareCluster({ cluster, program, user, passwordFile, durable }: ClusterOptions): Promise<void> {
  const version = readClusterVersion(cluster);
  if (version === supportedVersion) return;
  if (version !== null) {
    throw new Error(
      `The database files in ${cluster} were written by PostgreSQL ${version}, this program comes with PostgreSQL ${supportedVersion}. Start with a new data folder (the ledger is read again), or upgrade the files with pg_upgrade.`,
    );
  }
  if (existsSync(cluster)) {
    throw new Error(
      `${cluster} exists but holds no database (no PG_VERSION). Move it away, or choose another data folder.`,
    );
  }
  const aside = `${cluster}.new`;
  rmSync(aside, { recursive: true, force: true });
  const { known, unfinished } = makeUnfinished(aside, user);
  const authentication = passwordFile ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`] : ['--auth=trust'];
  await runInitdb(
    program.initdb,
    [
      '-D',
      unfinished,
      '-U',
      databaseUser,
      '--encoding=UTF8',
      '--locale=C',
      ...authentication,
      ...(durable ? [] : ['--no-sync']),
    ],
    known,
    unfinished,
  );
  takeOverFiles(unfinished, user);
  renameSync(unfinished, cluster);
  rmdirSync(aside);
}

/**
 * initdb looks for the name of its user, which an id without an account does not have. So it runs as one that has, in a
 * folder that only the group of the new owner may enter: other programs of that user do not come in.
 */
function makeUnfinished(aside: string, user: PostgresUser): { known: PostgresUser; unfinished: string } {
  const unfinished = join(aside, 'postgres');
  const known = findKnownUser();
  const { uid } = known.identity;
  const { gid } = user.identity;
  mkdirSync(aside, { mode: 0o700 });
  mkdirSync(unfinished, { mode: 0o700 });
  if (uid === undefined || gid === undefined) return { known, unfinished };
  chownSync(unfinished, uid, gid);
  chownSync(aside, 0, gid);
  chmodSync(aside, 0o710);
  return { known: { ...known, identity: { uid, gid } }, unfinished };
}

const supportedVersion = '18';

function readClusterVersion(cluster: string): string | null {
  const file = join(cluster, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

async function runInitdb(initdb: string, args: string[], user: PostgresUser, cwd: string): Promise<void> {
  const child = spawn(initdb, args, {
    ...user.identity,
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: cleanEnvironment(),
  });
  const ended = new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
  const [status, errors] = await Promise.all([ended, text(child.stderr)]);
  if (status !== 0) throw new Error(`initdb could not make the database files in ${cwd}: ${errors.trim()}`);
}

/** PG* variables of the caller's environment must not affect our server. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}
