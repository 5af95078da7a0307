// `migrate --distributed`, on a stand-in for Citus (test/support/servers/citus-stand-in.ts).
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import type { Column, Table } from '../../packages/schema/table.ts';
import { allTables, describedTable, tables } from '../../packages/schema/tables.ts';
import { mergeStatement } from '../../packages/store/write/merge-sql.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { addCitusStandIn } from '../support/servers/citus-stand-in.ts';
import { judgeStatement } from './judge-statement.ts';

const open: ScratchDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

async function newDatabase(options?: { empty: boolean }): Promise<ScratchDatabase> {
  const database = await createScratchDatabase(options);
  open.push(database);
  return database;
}

async function run(database: ScratchDatabase, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const ownTables = `select relname::text as name from pg_class where relkind in ('r', 'p') and not relispartition
  and relnamespace = 'public'::regnamespace order by 1`;
const placed = `select place, table_name::text as name, citus_table_type as kind, distribution_column as by, colocation_id as group
  from citus_stand_in.placed order by place`;

test('a description says where each table of the schema lies, and there is none without a table', async () => {
  const names = (await run(await newDatabase(), ownTables)).map(({ name }) => String(name));
  expect(names.filter((name) => describedTable(name) === undefined)).toEqual([]);
  expect(Object.keys(allTables).filter((name) => !names.includes(name))).toEqual([]);
  for (const { placement } of Object.values(allTables)) expect(placement.reason.length).toBeGreaterThan(5);
});

test('the distribution column is there in every row, and no merge changes it', () => {
  for (const [name, table] of Object.entries(tables) as [string, Table][]) {
    const placement = describedTable(name)!.placement;
    if (placement.kind !== 'distributed') continue;
    const column: Column | undefined = table.columns[placement.by];
    expect(column, `${name}.${placement.by}`).toBeDefined();
    // Of the signatures of a schedule the importer has it always.
    expect(column!.required === true || name === 'transaction_signature', `${name}.${placement.by}`).toBe(true);
    if (table.kind === 'insert') continue;
    const faults = judgeStatement(mergeStatement(name, table));
    expect(faults.filter((fault) => /on conflict|is changed|place of a row/.test(fault))).toEqual([]);
    expect(mergeStatement(name, table)).not.toContain(`${placement.by} = excluded.${placement.by}`);
  }
});

test.each([{ empty: true }, { empty: false }])('distributes a database, empty: $empty, once', async (options) => {
  const database = await newDatabase(options);
  await addCitusStandIn(database.connectionString);
  const sentences: string[] = [];
  await migrate({ ...database, distributed: true, log: (sentence) => sentences.push(sentence) });
  const rows = await run(database, placed);
  const names = (await run(database, ownTables)).map(({ name }) => String(name));
  const known = names.filter((name) => {
    const placement = describedTable(name)!.placement;
    return placement.kind !== 'local' || placement.isKnownToWorkers;
  });
  expect(rows.map(({ name }) => name).sort()).toEqual(known);
  for (const { name, kind, by } of rows) {
    const placement = describedTable(String(name))!.placement;
    expect([name, kind, by]).toEqual([name, placement.kind, placement.kind === 'distributed' ? placement.by : null]);
  }
  const groups = new Set(rows.filter(({ kind }) => kind === 'distributed').map(({ group }) => group));
  expect(groups.size).toBe(2);
  expect(sentences.at(-1)).toBe(`Distributed ${known.length} tables over the machines of the cluster`);

  sentences.length = 0;
  await migrate({ ...database, distributed: true, log: (sentence) => sentences.push(sentence) });
  await migrate({ ...database, log: (sentence) => sentences.push(sentence) });
  expect(sentences).toEqual([]);
  expect(await run(database, placed)).toEqual(rows);
});

test('a table that is added later is distributed by the next migration', async () => {
  const database = await newDatabase();
  await addCitusStandIn(database.connectionString);
  await migrate({ ...database, distributed: true });
  await run(
    database,
    `delete from citus_stand_in.placed where table_name in ('hook_storage'::regclass, 'hook_history'::regclass)`,
  );
  await migrate(database);
  expect((await run(database, placed)).slice(-2).map(({ name }) => name)).toEqual(['hook_history', 'hook_storage']);
});

test('every unique index of a distributed table has its distribution column', async () => {
  const database = await newDatabase();
  await addCitusStandIn(database.connectionString);
  await migrate({ ...database, distributed: true });
  const missing = await run(
    database,
    `select i.indexrelid::regclass::text as name from citus_stand_in.placed join pg_index i on i.indrelid = table_name
where i.indisunique and distribution_column is not null and not exists (
  select 1 from pg_attribute a where a.attrelid = i.indrelid and a.attname = distribution_column and a.attnum = any(i.indkey))`,
  );
  expect(missing).toEqual([]);
  // The old key stays the beginning of the new one: what looked up by it still does.
  const keys = await run(
    database,
    `select pg_get_indexdef(indexrelid) as key from pg_index where indrelid = 'contract_log'::regclass and indisprimary`,
  );
  expect(keys[0]!.key).toContain('(consensus_timestamp, index, contract_id)');
});

test.each([
  ['no Citus', async () => {}, /has no Citus extension\. On the coordinator and on every worker install/],
  [
    'no machine that holds tables',
    (database: ScratchDatabase) => addCitusStandIn(database.connectionString, { workers: 0 }),
    /No machine of the cluster holds tables yet\. .*citus_add_node/,
  ],
  [
    'no prepared transactions',
    (database: ScratchDatabase) => addCitusStandIn(database.connectionString, { workers: 2 }),
    /max_prepared_transactions is 0/,
  ],
  [
    'indexes that are left out',
    async (database: ScratchDatabase) => {
      await addCitusStandIn(database.connectionString);
      await run(database, `insert into postponed_index values ('create index …')`);
    },
    /1 indexes are left out until the import with --bulk has caught up/,
  ],
  [
    'a row without its distribution column',
    async (database: ScratchDatabase) => {
      await addCitusStandIn(database.connectionString);
      await run(
        database,
        `insert into transaction_signature (consensus_timestamp, public_key_prefix, signature) values (1, '', '')`,
      );
    },
    /could not be distributed, and none is: the partition column of table "transaction_signature" cannot be NULL/,
  ],
])('says what to do where there is %s, and leaves the tables as they are', async (_name, prepare, message) => {
  const database = await newDatabase();
  await prepare(database);
  await expect(migrate({ ...database, distributed: true })).rejects.toThrow(message);
  const keys = await run(
    database,
    `select pg_get_indexdef(indexrelid) as key from pg_index where indrelid = 'transaction'::regclass and indisprimary`,
  );
  expect(keys[0]!.key).toContain('(consensus_timestamp)');
});
