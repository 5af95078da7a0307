// Whom the database files of root's data folder belong to, and who else can connect: asked as the programs of other
// users would.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCluster } from './embedded-cluster.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { findKnownUser, isOwnId } from './postgres-user.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-user-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function listAll(path: string): string[] {
  const below = readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const at = join(path, entry.name);
    return entry.isDirectory() ? listAll(at) : [at];
  });
  return [path, ...below];
}

const ownersOf = (path: string): number[] => [...new Set(listAll(path).map((each) => lstatSync(each).uid))];

async function read(connectionString: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return Object.values((await client.query(statement)).rows[0])[0];
  } finally {
    await client.end();
  }
}

/** A program of this user and group: whether it gets as far as the server, and whether it can read the files. */
function tryAs(uid: number, gid: number, { socket, cluster }: { socket: string; cluster: string }) {
  const script = `
const { connect } = require('node:net');
const { readFileSync } = require('node:fs');
let files = 'read';
try { readFileSync(${JSON.stringify(join(cluster, 'pg_hba.conf'))}); } catch (error) { files = error.code; }
const socket = connect(${JSON.stringify(join(socket, '.s.PGSQL.5432'))});
socket.on('connect', () => { console.log(files, 'connected'); process.exit(); });
socket.on('error', ({ code }) => { console.log(files, code); process.exit(); });`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { uid, gid, cwd: '/', encoding: 'utf8' });
  return stdout.trim();
}

describe.skipIf(process.getuid?.() !== 0)('the PostgreSQL of root (skipped without its rights)', () => {
  it('has a user id of its own, with which no other program runs, and keeps it', async () => {
    const nobody = findKnownUser().identity;
    const ids: number[] = [];
    for (const name of ['one', 'other', 'one']) {
      const dataFolder = join(folder, name);
      const server = await startEmbeddedPostgres({ dataFolder, durable: false });
      const cluster = join(dataFolder, 'postgres');
      const socket = join(dataFolder, 'socket');
      const [uid] = ownersOf(cluster);
      expect(ownersOf(cluster)).toEqual([uid]);
      expect(ownersOf(socket)).toEqual([uid]);
      expect(isOwnId(uid!)).toBe(true);
      expect(uid).not.toBe(nobody.uid);
      expect([statSync(cluster).mode & 0o777, statSync(socket).mode & 0o777]).toEqual([0o700, 0o700]);
      expect(readFileSync(`/proc/${server.pid()}/status`, 'utf8')).toMatch(
        new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}\\nGid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'),
      );
      expect(tryAs(nobody.uid!, nobody.gid!, { socket, cluster })).toBe('EACCES EACCES');
      expect(tryAs(1000, 1000, { socket, cluster })).toBe('EACCES EACCES');
      // The group alone is not enough.
      expect(tryAs(nobody.uid!, uid!, { socket, cluster })).toBe('EACCES EACCES');
      expect(await read(server.connectionString, 'select 7')).toBe(7);
      await server.stop();
      expect(existsSync(`${cluster}.new`)).toBe(false);
      ids.push(uid!);
    }
    expect(ids[0]).toBe(ids[2]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('takes over the files that nobody had, and what is linked from elsewhere stays as it is', async () => {
    const dataFolder = join(folder, 'old');
    const first = await startEmbeddedPostgres({ dataFolder, durable: false });
    await read(first.connectionString, 'create table kept as select 7 as value; select 1').catch(() => {});
    await first.stop();
    const cluster = join(dataFolder, 'postgres');
    const { uid, gid } = findKnownUser().identity;
    for (const path of [...listAll(cluster), ...listAll(join(dataFolder, 'socket'))]) lchownSync(path, uid!, gid!);
    // As a server leaves it that was killed, and as programs of that user might have laid traps.
    writeFileSync(join(dataFolder, 'socket', '.s.PGSQL.5432.lock'), '999999\n', { mode: 0o600 });
    chownSync(join(dataFolder, 'socket', '.s.PGSQL.5432.lock'), uid!, gid!);
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'secret', { mode: 0o600 });
    linkSync(elsewhere, join(cluster, 'hard-link'));
    symlinkSync(elsewhere, join(cluster, 'symbolic-link'));
    expect(findCluster(dataFolder)).toEqual({ folder: cluster, foreignOwner: null });

    const said: string[] = [];
    const second = await startEmbeddedPostgres({ dataFolder, durable: false, log: (line) => said.push(line) });
    expect(await read(second.connectionString, 'select value from kept')).toBe(7);
    await second.stop();
    const owner = statSync(cluster).uid;
    expect(isOwnId(owner)).toBe(true);
    expect(said.join('\n')).toContain(`a user id of its own here from now on, ${owner}`);
    expect(lstatSync(elsewhere).uid).toBe(0);
    rmSync(join(cluster, 'hard-link'));
    expect(ownersOf(cluster)).toEqual([owner]);
  });

  it('goes on with a take-over that was interrupted', async () => {
    const dataFolder = join(folder, 'interrupted');
    const first = await startEmbeddedPostgres({ dataFolder, durable: false });
    await first.stop();
    const cluster = join(dataFolder, 'postgres');
    chownSync(cluster, 0, 0);
    chownSync(join(cluster, 'base'), findKnownUser().identity.uid!, 0);
    expect(findCluster(dataFolder)?.foreignOwner).toBeNull();
    const second = await startEmbeddedPostgres({ dataFolder, durable: false });
    expect(await read(second.connectionString, 'select 7')).toBe(7);
    await second.stop();
    expect(ownersOf(cluster)).toHaveLength(1);
  });

  it('does not take the files of another user', async () => {
    const dataFolder = join(folder, 'foreign');
    const first = await startEmbeddedPostgres({ dataFolder, durable: false });
    await first.stop();
    const cluster = join(dataFolder, 'postgres');
    for (const path of listAll(cluster)) lchownSync(path, 12_345, 12_345);
    expect(findCluster(dataFolder)?.foreignOwner).toMatchObject({ owner: 12_345, program: { uid: 0 } });
    await expect(startEmbeddedPostgres({ dataFolder })).rejects.toThrow(/belong to the user with the id 12345/);
    expect(ownersOf(cluster)).toEqual([12_345]);
  });
});
