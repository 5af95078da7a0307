import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { migrate } from '../../schema/migration/migrate.ts';
import type { Row } from '../../schema/tables.ts';
import { createBlockWriter } from '../../store/write/block-writer.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { isAlive, isPostgresOf } from './running-process.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-test-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(connectionString: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A mirror in a separate process that starts PostgreSQL and then only waits. */
const mirrorScript = `
import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)};
const { connectionString, pid } = await startEmbeddedPostgres({ dataFolder: process.argv[1], durable: false });
console.log(JSON.stringify({ connectionString, pid: pid() }));
setInterval(() => {}, 1000);
`;

function spawnMirror(dataFolder: string, identity: { uid?: number; gid?: number } = {}) {
  return spawn(process.execPath, ['--input-type=module', '-e', mirrorScript, dataFolder], {
    ...identity,
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function startMirror(dataFolder: string, identity: { uid?: number; gid?: number } = {}) {
  const child = spawnMirror(dataFolder, identity);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { connectionString: string; pid: number }) };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

const waiting = { timeout: 120_000, interval: 50 };

async function untilGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), waiting).toBe(false);
}

const start = 1_600_000_000_000_000_000n;

function transactionsOf(index: bigint): Row<'transaction'>[] {
  return Array.from({ length: 200 }, (_, i) => ({
    consensus_timestamp: start + index * 1000n + BigInt(i),
    payer_account_id: 2n,
    result: 22,
    type: 14,
    valid_start_ns: 1n,
  }));
}

function recordFile(index: bigint): Row<'record_file'> {
  return {
    consensus_start: start + index * 1000n,
    consensus_end: start + index * 1000n + 999n,
    count: 200n,
    digest_algorithm: 0,
    file_hash: 'f',
    hash: `h${index}`,
    prev_hash: `h${index - 1n}`,
    index,
    load_start: 0n,
    load_end: 0n,
    name: `file ${index}`,
    version: 6,
  };
}

describe('startEmbeddedPostgres', () => {
  it('keeps what was committed over a stop and a start, and listens on no network', async () => {
    const dataFolder = join(folder, 'plain');
    const first = await startEmbeddedPostgres({ dataFolder });
    await run(first.connectionString, 'create table kept as select 7 as value');
    expect(await run(first.connectionString, `show listen_addresses`)).toEqual([{ listen_addresses: '' }]);
    expect(await run(first.connectionString, `show fsync`)).toEqual([{ fsync: 'on' }]);
    await first.stop();
    await first.stop();
    const second = await startEmbeddedPostgres({ dataFolder });
    expect(await run(second.connectionString, 'select value from kept')).toEqual([{ value: 7 }]);
    await second.stop();
    expect(isAlive(second.pid())).toBe(false);
  });

  it('refuses a second mirror on the same folder and names the first', async () => {
    const dataFolder = join(folder, 'twice');
    const first = await startEmbeddedPostgres({ dataFolder, durable: false });
    await expect(startEmbeddedPostgres({ dataFolder, otherMirrorMs: 0 })).rejects.toThrow(
      new RegExp(`in use by.*process ${process.pid}.*--data-dir`),
    );
    expect(await run(first.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.stop();
  });

  it('waits for a mirror on the same folder that is about to end, and says so', async () => {
    const dataFolder = join(folder, 'one-after-the-other');
    const first = await startEmbeddedPostgres({ dataFolder, durable: false });
    const said: string[] = [];
    const log = (sentence: string): void => {
      said.push(sentence);
      // Only now, so that there is something to wait for.
      void first.stop();
    };
    const second = await startEmbeddedPostgres({ dataFolder, durable: false, log });
    expect(said).toEqual([expect.stringMatching(new RegExp(`in use by.*process ${process.pid}; waiting up to 15 s`))]);
    await second.stop();
  });

  it('ends the wait for another mirror when it is asked to stop', async () => {
    const dataFolder = join(folder, 'stopped-while-waiting');
    const first = await startEmbeddedPostgres({ dataFolder, durable: false });
    const stop = new AbortController();
    const second = startEmbeddedPostgres({ dataFolder, log: () => stop.abort(), signal: stop.signal });
    await expect(second).rejects.toThrow('in use by');
    await first.stop();
  });

  it('ends with a killed mirror; the next mirror starts at once', async () => {
    const dataFolder = join(folder, 'killed-mirror');
    const killed = await startMirror(dataFolder);
    await run(killed.connectionString, 'create table kept as select 7 as value');
    await kill(killed.child);
    const next = await startEmbeddedPostgres({ dataFolder, durable: false });
    expect(isAlive(killed.pid)).toBe(false);
    expect(await run(next.connectionString, 'select value from kept')).toEqual([{ value: 7 }]);
    await next.stop();
  });

  it('ends with a killed mirror even when no other follows', async () => {
    const killed = await startMirror(join(folder, 'orphan'));
    await kill(killed.child);
    await untilGone(killed.pid);
  });

  it('ends with a mirror that was killed while it waited for PostgreSQL', async () => {
    const dataFolder = join(folder, 'killed-waiting-mirror');
    const { child, pid } = await startMirror(dataFolder);
    await kill(child);
    await untilGone(pid);
    const again = spawnMirror(dataFolder);
    const file = join(dataFolder, 'postgres', 'postmaster.pid');
    const readPid = (): number => {
      try {
        return Number.parseInt(readFileSync(file, 'utf8'), 10) || pid;
      } catch {
        return pid; // The file of the killed server is gone, the new one's is not there yet.
      }
    };
    await vi.waitUntil(() => readPid() !== pid, { ...waiting, interval: 1 });
    const server = readPid();
    await kill(again);
    await untilGone(server);
  });

  it.skipIf(process.platform !== 'linux')('ends with a mirror that was killed as it made the process', async () => {
    const dataFolder = join(folder, 'killed-starting-mirror');
    const { child, pid } = await startMirror(dataFolder);
    await kill(child);
    await untilGone(pid);
    const cluster = join(dataFolder, 'postgres');
    const processes = (): number[] =>
      readdirSync('/proc')
        .map(Number)
        .filter((id) => id > 0 && isPostgresOf(id, cluster));
    for (let round = 0; round < 8; round++) {
      const again = spawnMirror(dataFolder);
      while (processes().length === 0) await setImmediate();
      await kill(again);
      await expect.poll(processes, waiting).toEqual([]);
    }
  });

  it('starts PostgreSQL again when that is killed', async () => {
    const dataFolder = join(folder, 'killed-server');
    const said: string[] = [];
    const server = await startEmbeddedPostgres({ dataFolder, log: (sentence) => said.push(sentence) });
    await run(server.connectionString, 'create table kept as select 7 as value');
    const killed = server.pid();
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => server.pid(), waiting).not.toBe(killed);
    expect(said.join()).toContain('ended unexpectedly (SIGKILL)');
    expect(await run(server.connectionString, 'select value from kept')).toEqual([{ value: 7 }]);
    await server.stop();
  });

  it('loses no block and writes none twice when PostgreSQL is killed while blocks are written', async () => {
    const server = await startEmbeddedPostgres({ dataFolder: join(folder, 'killed-writing') });
    await migrate(server);
    const writer = await createBlockWriter(server);
    let killed = 0;
    for (let index = 0n; index < 60n; index++) {
      if (index % 20n === 10n) {
        // Somewhere between the begin and the commit of this block.
        setTimeout(() => process.kill(server.pid(), 'SIGKILL'), killed++);
      }
      await writer.writeBlock({ parts: [{ transaction: transactionsOf(index), record_file: [recordFile(index)] }] });
    }
    await writer.close();
    expect(killed).toBe(3);
    expect(
      await run(
        server.connectionString,
        `select count(*)::int as blocks, min(index)::int as first, max(index)::int as last,
           (select count(*)::int from transaction) as transactions from record_file`,
      ),
    ).toEqual([{ blocks: 60, first: 0, last: 59, transactions: 60 * 200 }]);
    await server.stop();
  });

  it('takes no notice of the pid files that dead processes leave', async () => {
    const dataFolder = join(folder, 'stale');
    const first = await startEmbeddedPostgres({ dataFolder, durable: false });
    const pidFile = readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8');
    await first.stop();
    // The pid of a living process that is no server of this folder, as after a restart of the machine.
    writeFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.ppid)));
    writeFileSync(join(dataFolder, 'mirror.lock'), JSON.stringify({ pid: process.ppid, started: '1' }));
    const second = await startEmbeddedPostgres({ dataFolder, durable: false });
    expect(isAlive(process.ppid)).toBe(true);
    await second.stop();
  });

  it('serves a folder whose path is too long for a socket', async () => {
    const dataFolder = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    const server = await startEmbeddedPostgres({ dataFolder, durable: false });
    const socketFolder = decodeURIComponent(/host=([^&]+)/.exec(server.connectionString)![1]!);
    expect(socketFolder.startsWith(folder)).toBe(false);
    expect(await run(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(existsSync(socketFolder)).toBe(false);
  });

  it.skipIf(process.platform !== 'linux')('says which folder cannot be made', async () => {
    await expect(startEmbeddedPostgres({ dataFolder: '/proc/nowhere/data' })).rejects.toThrow(
      /data folder \/proc\/nowhere\/data cannot be used.*--data-dir/,
    );
  });

  it('does not touch a folder that holds something else', async () => {
    const dataFolder = join(folder, 'foreign');
    mkdirSync(join(dataFolder, 'postgres'), { recursive: true });
    writeFileSync(join(dataFolder, 'postgres', 'precious.txt'), 'x');
    await expect(startEmbeddedPostgres({ dataFolder })).rejects.toThrow('holds no database');
    expect(readFileSync(join(dataFolder, 'postgres', 'precious.txt'), 'utf8')).toBe('x');
  });

  it.skipIf(process.getuid?.() !== 0)(
    'puts the files where an unprivileged user can reach them when root cannot share the folder',
    async () => {
      const closed = join(folder, 'closed');
      const dataFolder = join(closed, 'data');
      mkdirSync(dataFolder, { recursive: true });
      chmodSync(closed, 0o700);
      const said: string[] = [];
      const server = await startEmbeddedPostgres({
        dataFolder,
        durable: false,
        log: (sentence) => said.push(sentence),
      });
      const elsewhere = readFileSync(join(dataFolder, 'postgres.location'), 'utf8').trim();
      expect(said.join()).toContain(elsewhere);
      expect(existsSync(join(elsewhere, 'postgres', 'PG_VERSION'))).toBe(true);
      await server.stop();

      rmSync(dataFolder, { recursive: true });
      mkdirSync(dataFolder);
      const restarted = await startEmbeddedPostgres({ dataFolder, durable: false });
      const elsewhereAnew = readFileSync(join(dataFolder, 'postgres.location'), 'utf8').trim();
      expect(elsewhereAnew).not.toBe(elsewhere);
      await restarted.stop();
      for (const place of [elsewhere, elsewhereAnew]) rmSync(place, { recursive: true });
    },
  );

  it.skipIf(process.getuid?.() !== 0)('runs without root as the user who starts it', async () => {
    const dataFolder = join(folder, 'unprivileged');
    mkdirSync(dataFolder);
    const identity = { uid: 65_534, gid: 65_534 };
    chownSync(dataFolder, identity.uid, identity.gid);
    const mirror = await startMirror(dataFolder, identity);
    expect(await run(mirror.connectionString, 'select current_user::text as name')).toEqual([{ name: 'mirror' }]);
    await kill(mirror.child);
    await untilGone(mirror.pid);
  });
});
