// The oldest PostgreSQL that is supported, as Debian packages it, with a database user who owns the database and nothing
// else. Skipped where that package is not installed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBlockWriter } from './block-writer.ts';
import { openDatabase } from './database.ts';
import { findPostgresUser } from './embedded/postgres-user.ts';
import { selectLastBlock } from './import-state.ts';
import { migrate } from './migrate.ts';

const programs = '/usr/lib/postgresql/15/bin';
const installed = existsSync(join(programs, 'postgres'));

describe.skipIf(!installed)('PostgreSQL 15 of Debian', () => {
  let folder = '';
  let stop = async () => {};
  let connectionString = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-15-'));
    chmodSync(folder, 0o755);
    const { identity } = findPostgresUser();
    if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid!);
    const cluster = join(folder, 'cluster');
    execFileSync(
      join(programs, 'initdb'),
      ['-D', cluster, '-U', 'admin', '--auth=trust', '--no-sync', '--encoding=UTF8'],
      {
        ...identity,
        cwd: folder,
        stdio: 'ignore',
      },
    );
    const args = ['-D', cluster, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
    const server = spawn(join(programs, 'postgres'), args, { ...identity, cwd: cluster, stdio: 'ignore' });
    stop = async () => {
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
    };
    await runAsAdmin('create role owner login');
    await runAsAdmin('create database ledger owner owner');
    connectionString = `postgresql://owner@/ledger?host=${encodeURIComponent(folder)}`;
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function runAsAdmin(statement: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const client = new pg.Client({
        connectionString: `postgresql://admin@/postgres?host=${encodeURIComponent(folder)}`,
      });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query(statement);
        return;
      } catch (error) {
        if (attempt === 200) throw error;
        await sleep(50);
      } finally {
        await client.end().catch(() => {});
      }
    }
  }

  it('gets the schema, takes blocks and answers, without any right beyond owning the database', async () => {
    await migrate({ connectionString });
    await migrate({ connectionString });
    const writer = await createBlockWriter({ connectionString });
    const t = 1_600_000_000_000_000_000n;
    const account = { id: 5n, num: 5n, realm: 0n, shard: 0n, type: 'ACCOUNT', timestamp_range: { from: t, to: null } };
    await writer.writeBlock({ parts: [{ entity: [account] }] });
    await writer.writeBlock({
      parts: [
        {
          entity: [{ ...account, memo: 'changed', timestamp_range: { from: t + 1n, to: null } }],
          transaction: [{ consensus_timestamp: t + 1n, payer_account_id: 5n, result: 22, type: 15, valid_start_ns: t }],
          record_file: [
            {
              consensus_start: t,
              consensus_end: t + 1n,
              count: 1n,
              digest_algorithm: 0,
              file_hash: 'f',
              hash: 'h',
              prev_hash: 'p',
              index: 1n,
              load_start: 0n,
              load_end: 0n,
              name: 'file 1',
              version: 6,
            },
          ],
        },
      ],
    });
    await writer.close();
    const db = openDatabase({ connectionString });
    await db.check();
    expect(await selectLastBlock(db)).toMatchObject({ name: 'file 1', consensusEnd: t + 1n });
    expect(await db.query({ name: 'history', text: 'select id, memo, timestamp_range from entity_history' })).toEqual([
      { id: 5n, memo: '', timestamp_range: { from: t, to: t + 1n } },
    ]);
    await db.close();
  });
});
