// The oldest PostgreSQL that is supported, as Debian packages it: a cluster of its own in a temporary folder, reached through
// a socket there.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPostgresUser } from '../../src/store/embedded/postgres-user.ts';

const programs = '/usr/lib/postgresql/15/bin';

export const isDebianPostgresInstalled = existsSync(join(programs, 'postgres'));

export type DebianPostgres = {
  connectionString(user: string, database: string): string;
  /** As the cluster's superuser. */
  run(statement: string, database?: string): Promise<void>;
  close(): Promise<void>;
};

export async function startDebianPostgres(): Promise<DebianPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-15-'));
  chmodSync(folder, 0o755);
  const { identity } = findPostgresUser();
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid!);
  const cluster = join(folder, 'cluster');
  const initialize = ['-D', cluster, '-U', 'admin', '--auth=trust', '--no-sync', '--encoding=UTF8'];
  execFileSync(join(programs, 'initdb'), initialize, { ...identity, cwd: folder, stdio: 'ignore' });
  const args = ['-D', cluster, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
  const server = spawn(join(programs, 'postgres'), args, { ...identity, cwd: cluster, stdio: 'ignore' });

  const connectionString = (user: string, database: string) =>
    `postgresql://${user}@/${database}?host=${encodeURIComponent(folder)}`;

  /** Waits until the server answers. */
  async function run(statement: string, database = 'postgres'): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const client = new pg.Client({ connectionString: connectionString('admin', database) });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch (error) {
        if (attempt === 200) throw error;
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
    async close() {
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
