// PostgreSQL as Debian packages it, and a streaming replica of it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPostgresUser } from '../../src/store/embedded/postgres-user.ts';

const programs = '/usr/lib/postgresql/15/bin';

export type Replica = { connectionString: string; close(): Promise<void> };

/** `primary`: a connection string over a socket, of who may replicate. */
export async function startReplica(primary: string): Promise<Replica> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-replica-'));
  chmodSync(folder, 0o755);
  const { identity } = findPostgresUser();
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid!);
  const cluster = join(folder, 'cluster');
  const url = new URL(primary.replace('@/', '@localhost/'));
  const socket = url.searchParams.get('host')!;
  const backup = [
    '-h',
    socket,
    '-U',
    url.username,
    '-D',
    cluster,
    '-R',
    '-X',
    'stream',
    '--checkpoint=fast',
    '--no-sync',
  ];
  execFileSync(join(programs, 'pg_basebackup'), backup, { ...identity, cwd: folder, stdio: 'ignore' });
  const args = ['-D', cluster, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
  const server = spawn(join(programs, 'postgres'), args, { ...identity, cwd: cluster, stdio: 'ignore' });
  const connectionString = primary.replace(encodeURIComponent(socket), encodeURIComponent(folder));
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      break;
    } catch (error) {
      if (attempt === 400) throw error;
      await sleep(50);
    }
  }
  return {
    connectionString,
    async close() {
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
