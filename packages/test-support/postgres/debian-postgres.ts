// The oldest supported PostgreSQL, as Debian packages it: a cluster in a temporary folder, with a Unix socket there.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { endWithThisProcess } from '../../postgres/embedded/end-with-this-process.ts';
import { findKnownUser } from '../../postgres/embedded/postgres-user.ts';

const programs = '/usr/lib/postgresql/15/bin';

export const isDebianPostgresInstalled = existsSync(join(programs, 'postgres'));

export type DebianPostgres = {
  connectionString(user: string, database: string): string;
  /** As the cluster's superuser. */
  run(statement: string, database?: string): Promise<void>;
  /** A replica of this cluster. */
  startReplica(): Promise<DebianReplica>;
  close(): Promise<void>;
};

export type DebianReplica = {
  connectionString(user: string, database: string): string;
  /** Kills it, as when a machine fails. */
  kill(): Promise<void>;
  /** Pauses and resumes the replay. */
  pauseReplay(isPaused: boolean): Promise<void>;
};

export async function startDebianPostgres(): Promise<DebianPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-15-'));
  chmodSync(folder, 0o755);
  const { identity } = findKnownUser();
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid!);
  const cluster = join(folder, 'cluster');
  const initialize = ['-D', cluster, '-U', 'admin', '--auth=trust', '--no-sync', '--encoding=UTF8'];
  execFileSync(join(programs, 'initdb'), initialize, { ...identity, cwd: folder, stdio: 'ignore' });
  const start = (at: string, port: number) => {
    const args = ['-D', at, '-k', folder, '-p', String(port), '-c', 'listen_addresses=', '-c', 'fsync=off'];
    const child = spawn(join(programs, 'postgres'), args, { ...identity, cwd: at, stdio: 'ignore' });
    endWithThisProcess(child, 'INT', identity);
    return child;
  };
  const server = start(cluster, 5432);
  const replicas: ReturnType<typeof start>[] = [];

  const connectionTo = (port: number) => (user: string, database: string) =>
    `postgresql://${user}@/${database}?host=${encodeURIComponent(folder)}&port=${port}`;
  const connectionString = connectionTo(5432);
  const run = (statement: string, database = 'postgres') => runAt(connectionString('admin', database), statement);

  async function startReplica(): Promise<DebianReplica> {
    const port = 5433 + replicas.length;
    const at = join(folder, `replica-${port}`);
    const copy = ['-D', at, '-h', folder, '-p', '5432', '-U', 'admin', '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    execFileSync(join(programs, 'pg_basebackup'), copy, { ...identity, cwd: folder, stdio: 'ignore' });
    const replica = start(at, port);
    replicas.push(replica);
    const own = connectionTo(port);
    await runAt(own('admin', 'postgres'), 'select 1');
    return {
      connectionString: own,
      async kill() {
        // The postmaster's children end with it.
        await end(replica, 'SIGQUIT');
      },
      async pauseReplay(isPaused) {
        await runAt(own('admin', 'postgres'), `select pg_wal_replay_${isPaused ? 'pause' : 'resume'}()`);
        const wait = `while pg_get_wal_replay_pause_state() = 'pause requested' loop perform pg_sleep(0.01); end loop`;
        await runAt(own('admin', 'postgres'), `do $$ begin ${wait}; end $$`);
      },
    };
  }

  /** Waits until the server answers. */
  async function runAt(place: string, statement: string): Promise<void> {
    for (const untilMs = performance.now() + 240_000; ; ) {
      const client = new pg.Client({ connectionString: place });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch (error) {
        // It is still starting.
        if (performance.now() > untilMs) throw error;
        await sleep(50);
        continue;
      }
      try {
        await client.query(statement);
      } finally {
        await client.end();
      }
      return;
    }
  }

  await run('select 1');
  return {
    connectionString,
    run,
    startReplica,
    async close() {
      for (const replica of replicas) await end(replica, 'SIGQUIT');
      await end(server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}
