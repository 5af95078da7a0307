import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../../test/support/scratch-database.ts';
import { verificationTableNames } from '../verification/verification-tables.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { tables } from './tables.ts';

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
    const expected = Object.entries(tables).flatMap(([name, { kind }]) =>
      kind === 'versioned' ? [name, `${name}_history`] : [name],
    );
    expect(names.sort()).toEqual([...expected, ...verificationTableNames, 'ledger_mirror_schema'].sort());
    expect(await run(database, 'select version, name from ledger_mirror_schema')).toEqual([
      { version: schemaVersion, name: 'baseline' },
    ]);
  });

  it('refuses a database with tables of somebody else and changes nothing', async () => {
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
  });

  it('brings the first schema to what an empty database gets at once', async () => {
    const [old, fresh] = [await emptyDatabase(), await emptyDatabase()];
    for (const database of [old, fresh]) await migrate(database);
    await run(old, `drop table ${[...verificationTableNames].reverse().join(', ')}`);
    await run(old, 'alter table transaction drop column packed_transfers');
    await run(old, 'update ledger_mirror_schema set version = 1');
    await migrate(old);
    const columns = `select table_name, column_name, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = 'public' order by 1, 2`;
    expect(await run(old, columns)).toEqual(await run(fresh, columns));
    expect(await run(old, 'select max(version) as version from ledger_mirror_schema')).toEqual([
      { version: schemaVersion },
    ]);
  });
});
