// The oldest PostgreSQL that is supported, with a database user who owns the database and nothing else. Skipped where
// Debian's package of it is not installed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../postgres/wire/database.ts';
import { migrate } from '../schema/migration/migrate.ts';
import {
  type DebianPostgres,
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../test-support/postgres/debian-postgres.ts';
import { selectLastBlock } from './read/import-state.ts';
import { createBlockWriter } from './write/block-writer.ts';

describe.skipIf(!isDebianPostgresInstalled)('PostgreSQL 15 of Debian', () => {
  let server: DebianPostgres;
  let connectionString = '';

  beforeAll(async () => {
    server = await startDebianPostgres();
    await server.run('create role owner login');
    await server.run('create database ledger owner owner');
    connectionString = server.connectionString('owner', 'ledger');
  });
  afterAll(() => server?.close());

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
