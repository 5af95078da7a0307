// The built-in PostgreSQL: started for one data folder, on a private Unix socket, and stopped with the mirror. If the
// mirror is killed, the server ends by itself; if the server is killed, it is restarted. No committed block is lost.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { createBackOff } from '../../kit/back-off.ts';
import { pause } from '../../kit/pause.ts';
import { cleanEnvironment, findReachableFolder, prepareCluster } from './cluster-folder.ts';
import { clusterOf } from './cluster-place.ts';
import { connectionStringOf, databaseName, passwordFile, windowsPort } from './connection-string.ts';
import { makeDataFolder } from './data-folder.ts';
import { lockDataFolder } from './data-lock.ts';
import { findCluster } from './embedded-cluster.ts';
import { endWithThisProcess } from './end-with-this-process.ts';
import { findPostgresProgram, type PostgresProgram } from './postgres-program.ts';
import { findPostgresUser, isTakenOver, type PostgresUser } from './postgres-user.ts';
import { keepServerLogSmall, openServerLog } from './server-log.ts';
import { serverSettings } from './server-settings.ts';
import { isListening, makeSocketFolder, socketPort } from './socket-folder.ts';
import { stopOrphan, stopServer } from './stop-server.ts';
import { takeOverFiles } from './take-over-files.ts';

export type EmbeddedPostgresOptions = {
  /** Made if absent. */
  dataFolder: string;
  /** false lets a crash of the machine lose data; only for tests and benchmarks. */
  durable?: boolean;
  /** Messages for the operator: where the files are, that an orphan was stopped, that the server was restarted. */
  log?: (sentence: string) => void;
  /** How long to wait for another mirror that holds the data folder and may be about to end. */
  otherMirrorMs?: number;
  /** Ends that wait. */
  signal?: AbortSignal;
};

export type EmbeddedPostgres = {
  connectionString: string;
  /** Process id of the server that runs now. */
  pid(): number;
  /** Ends the server and releases the data folder. Safe to call twice. */
  stop(): Promise<void>;
};

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable = true, log = () => {}, otherMirrorMs = 15_000, signal } = options;
  const dataFolder = resolve(options.dataFolder);
  makeDataFolder(dataFolder);
  const lock = await lockDataFolder(dataFolder, { waitMs: otherMirrorMs, log, signal });
  try {
    const user = findPostgresUser(clusterOf(dataFolder));
    const folder = findReachableFolder(dataFolder, user, log);
    const copyFolder = folder === dataFolder ? folder : dirname(folder);
    const program = findPostgresProgram({ user, copyFolder, log });
    const cluster = join(folder, 'postgres');
    const password = process.platform === 'win32' ? readPassword(dataFolder) : null;
    refuseForeignOwner(dataFolder);
    await prepareCluster({ cluster, program, user, passwordFile: password && passwordFile(dataFolder), durable });
    const orphan = await stopOrphan(cluster);
    if (orphan !== null) log(`Stopped PostgreSQL (process ${orphan}), left behind by a mirror that was killed`);
    const owner = statSync(cluster).uid;
    if (isTakenOver(owner) && owner !== user.identity.uid) {
      log(`PostgreSQL has a user id of its own here from now on, ${user.identity.uid}: it gets the database files`);
      takeOverFiles(cluster, user);
    }
    const place: ServerPlace = {
      dataFolder,
      cluster,
      socketFolder: makeSocketFolder(folder, user),
      program,
      user,
      password,
    };
    if (await isListening(place.socketFolder)) {
      throw new Error(
        `A PostgreSQL server that is not visible from here (another container?) already serves ${cluster}. Stop the mirror that runs it, or choose another with --data-dir.`,
      );
    }
    const server = await superviseServer({ ...place, durable, log });
    return {
      connectionString: connectionStringOf(place),
      pid: server.pid,
      async stop() {
        await server.stop();
        if (place.socketFolder.startsWith(join(tmpdir(), 'ledger-mirror-'))) {
          rmSync(place.socketFolder, { recursive: true, force: true });
        }
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** PostgreSQL would refuse them in words that do not say what to do. */
function refuseForeignOwner(dataFolder: string): void {
  const found = findCluster(dataFolder);
  if (!found?.foreignOwner) return;
  const { owner, program } = found.foreignOwner;
  throw new Error(
    `The database files in ${found.folder} belong to the user with the id ${owner}, and the program runs as ${program.name} (${program.uid}). Run it as the user that made them, or give them to this one (chown -R ${program.uid} ${found.folder}), or choose another folder with --data-dir.`,
  );
}

type ServerPlace = {
  dataFolder: string;
  cluster: string;
  socketFolder: string;
  program: PostgresProgram;
  user: PostgresUser;
  password: string | null;
};

type SupervisedOptions = ServerPlace & { durable: boolean; log: (sentence: string) => void };

/** Keeps one server running until `stop`. */
async function superviseServer(options: SupervisedOptions): Promise<{ pid(): number; stop(): Promise<void> }> {
  let child = await startServer(options);
  let stopping: Promise<void> | undefined;
  await createDatabase(options);

  const watch = (): void => {
    child.once('exit', (code, signal) => {
      if (!stopping) void restart(code, signal);
    });
  };
  const restart = async (code: number | null, signal: NodeJS.Signals | null): Promise<void> => {
    options.log(`PostgreSQL ended unexpectedly (${signal ?? `status ${code}`}); starting it again`);
    const delays = createBackOff(100, 5_000);
    while (!stopping) {
      try {
        child = await startServer(options);
        watch();
        return;
      } catch (error) {
        options.log(`PostgreSQL did not start again: ${(error as Error).message}`);
        await pause(delays.next());
      }
    }
  };
  watch();
  const leaveLog = keepServerLogSmall(logFile(options), options.log);

  const pid = (): number => child.pid ?? 0;
  return {
    pid,
    stop() {
      leaveLog();
      stopping ??= child.exitCode === null && child.signalCode === null ? stopServer(pid()) : Promise.resolve();
      return stopping;
    },
  };
}

async function startServer(options: SupervisedOptions): Promise<ChildProcess> {
  // Children of a killed server need a moment to notice; until then their shared memory is in use.
  for (let attempt = 1; ; attempt++) {
    await stopOrphan(options.cluster);
    const child = spawnServer(options);
    if (process.platform !== 'win32' && child.pid !== undefined) {
      child.unref();
      endWithThisProcess(child, ['INT', 'QUIT'], options.user.identity);
      child.stdin?.on('error', () => {}); // It ended already: `failure` has the reason.
      child.stdin?.end('start\n');
    }
    const ended = new AbortController();
    const failure = new Promise<string>((done) => {
      child.once('error', (error) => done(error.message));
      child.once('exit', (code, signal) => done(signal ?? `status ${code}`));
    }).finally(() => ended.abort());
    const problem = await Promise.race([failure, waitUntilReady(options, ended.signal)]);
    if (problem === null) return child;
    if (attempt === 10) {
      throw new Error(`PostgreSQL could not start in ${options.cluster} (${problem}): ${lastLines(logFile(options))}`);
    }
    await pause(200);
  }
}

function spawnServer({ dataFolder, cluster, socketFolder, program, user, durable }: SupervisedOptions): ChildProcess {
  const log = openServerLog(logFile({ dataFolder }));
  const network =
    process.platform === 'win32'
      ? { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(windowsPort(dataFolder)) }
      : { listen_addresses: '', unix_socket_directories: quoteSetting(socketFolder), port: String(socketPort) };
  const settings = { ...serverSettings({ durable }), ...network };
  const args = ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const isWindows = process.platform === 'win32';
  // A shell that becomes the server when it reads a line: if the mirror is killed before a guard watches the process,
  // no server is left behind.
  const [command, commandArgs] = isWindows
    ? [program.postgres, args]
    : ['/bin/sh', ['-c', 'read -r _ && exec "$@" </dev/null', 'sh', program.postgres, ...args]];
  try {
    // Detached: Ctrl-C in the terminal must reach only the mirror, which then stops the server in order.
    return spawn(command, commandArgs, {
      ...user.identity,
      cwd: cluster,
      detached: true,
      env: cleanEnvironment(),
      stdio: [isWindows ? 'ignore' : 'pipe', log, log],
    });
  } finally {
    closeSync(log);
  }
}

/** Never resolves after the server has ended: the result is then how it ended. */
async function waitUntilReady(options: SupervisedOptions, ended: AbortSignal): Promise<null> {
  for (let waitedMs = 0; !ended.aborted; waitedMs += 20) {
    const client = new pg.Client({ connectionString: connectionStringOf(options, 'postgres') });
    client.on('error', () => {});
    try {
      await client.connect();
      return null;
    } catch {
      // Not yet: starting, or recovering after a crash.
      if (waitedMs > 0 && waitedMs % 10_000 === 0) options.log('PostgreSQL is still recovering after a crash');
      await pause(20);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return new Promise(() => {});
}

async function createDatabase(place: ServerPlace): Promise<void> {
  const client = new pg.Client({ connectionString: connectionStringOf(place, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}

function readPassword(dataFolder: string): string {
  const file = passwordFile(dataFolder);
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function logFile({ dataFolder }: { dataFolder: string }): string {
  return join(dataFolder, 'postgres.log');
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-3).join(' / ');
}

/** unix_socket_directories is a list; a quoted entry may hold commas and spaces. */
function quoteSetting(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}
