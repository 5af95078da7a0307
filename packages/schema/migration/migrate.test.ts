import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { allTables } from '../tables.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { migrations } from './migrations.ts';

const open: ScratchDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

async function emptyDatabase(): Promise<ScratchDatabase> {
  const database = await createScratchDatabase({ empty: true });
  open.push(database);
  return database;
}

async function run(database: ScratchDatabase, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

describe('migrate', () => {
  it('makes every table, once, however many processes start at the same moment', async () => {
    const database = await emptyDatabase();
    await Promise.all([migrate(database), migrate(database), migrate(database)]);
    const stored = await run(
      database,
      `select relname from pg_class where relkind in ('r','p') and relnamespace = 'public'::regnamespace`,
    );
    const names = stored.map(({ relname }) => relname);
    const expected = Object.entries(allTables).flatMap(([name, table]) =>
      'kind' in table && table.kind === 'versioned' ? [name, `${name}_history`] : [name],
    );
    expect(names.sort()).toEqual(expected.sort());
    expect(await run(database, 'select version, name from ledger_mirror_schema')).toEqual([
      { version: schemaVersion, name: 'baseline' },
    ]);
  });

  it('refuses a database with tables that it did not make, and changes nothing', async () => {
    const database = await emptyDatabase();
    await run(database, 'create table flyway_schema_history (version text)');
    await expect(migrate(database)).rejects.toThrow(/flyway_schema_history.*empty database/);
    expect(
      await run(database, `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`),
    ).toHaveLength(1);
  });

  it('refuses a schema newer than the program', async () => {
    const database = await emptyDatabase();
    await migrate(database);
    await run(database, `insert into ledger_mirror_schema values (${schemaVersion + 1}, 'from the future')`);
    await expect(migrate(database)).rejects.toThrow(`schema version ${schemaVersion + 1}`);
    // A server that is started again while the others are being replaced.
    const said: string[] = [];
    await migrate({ ...database, mayBeNewer: true, log: (sentence) => said.push(sentence) });
    expect(said).toEqual([expect.stringContaining(`schema version ${schemaVersion + 1}, which a newer program made`)]);
  });

  it('brings a database of the first version to exactly the schema that an empty one gets at once, but for its trees of hashes', async () => {
    const [old, fresh] = [await emptyDatabase(), await emptyDatabase()];
    await run(old, readFileSync(new URL('../../test-support/postgres/baseline-0.1.0.sql', import.meta.url), 'utf8'));
    await run(old, `insert into address_book (file_id, start_consensus_timestamp, file_data) values (102, 1, 'kept')`);
    for (const database of [old, fresh]) await migrate(database);
    for (const [facts, select] of Object.entries(schemaFacts)) {
      const stored = await run(old, select);
      expect([facts, facts === 'indexes' ? stored.map(withHashes) : stored]).toEqual([facts, await run(fresh, select)]);
    }
    expect(await run(old, 'select version, name from ledger_mirror_schema order by version')).toEqual([
      { version: 1, name: 'baseline' },
      ...migrations.map(({ name }, i) => ({ version: i + 2, name })),
    ]);
    expect(await run(old, 'select file_data from address_book')).toEqual([{ file_data: Buffer.from('kept') }]);
  });

  it('finds transactions by hash as the REST server of a mirror node asks', async () => {
    const database = await emptyDatabase();
    await migrate(database);
    const [hash, suffix, other] = ['ab'.repeat(32), 'cd'.repeat(16), 'ef'.repeat(32)];
    await run(database, 'create table transaction_hash_all partition of transaction_hash default');
    await run(
      database,
      `insert into transaction_hash (consensus_timestamp, hash, hash_suffix, payer_account_id)
      values (5, '\\x${hash}', '\\x${suffix}', 7), (6, '\\x${hash}', null, 8), (9, '\\x${other}', null, 7)`,
    );
    const find = (text: string) =>
      run(database, `select * from get_transaction_info_by_hash('\\x${text}') order by consensus_timestamp`);
    const found = [
      { consensus_timestamp: '5', hash: Buffer.from(hash + suffix, 'hex'), payer_account_id: '7' },
      { consensus_timestamp: '6', hash: Buffer.from(hash, 'hex'), payer_account_id: '8' },
    ];
    expect(await find(hash)).toEqual(found);
    expect(await find(hash + suffix)).toEqual(found);
    expect(await find('00'.repeat(32))).toEqual([]);
  });

  it('marks the synthetic logs that older importers left unmarked, and no log of a contract', async () => {
    const database = await emptyDatabase();
    await migrate(database);
    await run(database, 'create table contract_log_all partition of contract_log default');
    const [transfer, approval, other] = [
      'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
      'ab'.repeat(32),
    ];
    const bloom = 'ff'.repeat(256);
    const rows = [
      [1, transfer, '00', false],
      [2, approval, '00', false],
      [3, transfer, '00', true],
      [4, transfer, bloom, false],
      [5, other, '00', false],
    ].map(([at, topic, bytes, synthetic]) => `(${at}, 0, 5, 7, '\\x${bytes}', '\\x', ${synthetic}, '\\x${topic}')`);
    await run(
      database,
      `insert into contract_log (consensus_timestamp, index, contract_id, payer_account_id, bloom, data, synthetic, topic0)
      values ${rows.join()}`,
    );
    const { statements } = migrations.find(({ name }) => name === 'synthetic logs of NFTs and approvals')!;
    await run(database, statements[0]!);
    expect(
      await run(database, 'select consensus_timestamp as at from contract_log where synthetic order by 1'),
    ).toEqual([{ at: '1' }, { at: '2' }, { at: '3' }]);
  });

  it('a migration is never edited: databases exist that were changed by its text', () => {
    const hashes = migrations.map(({ name, statements }) => [name, hash('sha256', statements.join(';')).slice(0, 16)]);
    expect(Object.fromEntries(hashes)).toMatchObject(frozenMigrations);
  });
});

/** A new migration gets its line here when it is released. */
const frozenMigrations = {
  'contract verification': 'cb27c68b888f5206',
  'packed transfers': 'd59a96fb0f9bcc1c',
  'importer state': '01dc5906136db938',
  'mirrored network': '5ba2b0682bd818a3',
};

/** An index by hash alone is made again by no migration: that would take hours. */
function withHashes({ tablename, indexdef }: Record<string, unknown>): Record<string, unknown> {
  const isByHash = tablename === 'transaction_hash' || tablename === 'contract_transaction_hash';
  return {
    tablename,
    indexdef: isByHash ? String(indexdef).replace('USING btree (hash)', 'USING hash (hash)') : indexdef,
  };
}

// The order of a table's columns may differ: a migration adds them at the end, and no statement depends on it.
const schemaFacts = {
  tables: `select relname, relkind, reloptions, pg_get_partkeydef(oid) as partition_key from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') order by 1`,
  columns: `select attrelid::regclass::text as table, attname, format_type(atttypid, atttypmod) as type, attnotnull,
    attidentity, attgenerated, pg_get_expr(adbin, adrelid) as default
    from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped order by 1, 2`,
  indexes: `select tablename, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
  constraints: `select conrelid::regclass::text as table, contype, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2, 3`,
  functions: `select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = 'public'::regnamespace and prolang <> 13 and probin is null order by 1`,
  enums: `select t.typname, array_agg(e.enumlabel::text order by e.enumsortorder) as labels
    from pg_type t join pg_enum e on e.enumtypid = t.oid group by 1 order by 1`,
};
