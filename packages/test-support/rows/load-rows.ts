// Replaces the rows of a database by those of a setup.
import pg from 'pg';
import { isCompact, storedTable } from '../../schema/compact-form.ts';
import { tables } from '../../schema/tables.ts';
import type { SetupRow } from './setup-row.ts';

export async function loadRows(connectionString: string, rows: readonly SetupRow[]): Promise<void> {
  const loader = await openRowLoader(connectionString);
  try {
    await loader.load(rows);
  } finally {
    await loader.close();
  }
}

/** Adds rows to those of a setup, in one database transaction. */
export async function addRows(connectionString: string, rows: readonly SetupRow[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('begin');
    for (const { table, row } of rows) await insertRow(client, table, row);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

export type RowLoader = { load(rows: readonly SetupRow[]): Promise<void>; close(): Promise<void> };

/**
 * Partitioned tables get one partition for all times. A session that stays knows all tables: from the second time on it
 * takes 6 ms to delete what they hold, where a new one takes 60.
 */
export async function openRowLoader(connectionString: string): Promise<RowLoader> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    async load(rows) {
      const { rows: split } = await client.query(`select c.relname as name from pg_class c
        where c.relkind = 'p' and c.relnamespace = current_schema()::regnamespace
          and not exists (select from pg_inherits i where i.inhparent = c.oid)`);
      for (const { name } of split) await client.query(`create table ${name}_everything partition of ${name} default`);
      await client.query(deleteEverything);
      const hasCompactForm = await isCompact(client);
      for (const { table, row } of rows) await insertRow(client, table, row, storedTable(table, hasCompactForm));
    },
    close: () => client.end(),
  };
}

// Far faster than a new database or `truncate` for a few rows in a few tables.
const deleteEverything = `do $$
declare
  name text;
begin
  for name in select c.relname from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
      and c.relname <> 'ledger_mirror_schema'
  loop
    execute format('delete from %I', name);
  end loop;
end $$`;

async function insertRow(
  client: pg.Client,
  table: string,
  row: Record<string, unknown>,
  stored = table,
): Promise<void> {
  const description = tables[table.replace(/_history$/, '') as keyof typeof tables];
  if (!description) throw new Error(`The setup has rows for "${table}", a table the ledger does not have`);
  const columns = Object.keys(row).filter((name) => name in description.columns && row[name] !== undefined);
  const parameters = columns.map((_, i) => `$${i + 1}`);
  await client.query({
    text: `insert into ${stored} (${columns.map((name) => `"${name}"`).join(', ')}) values (${parameters.join(', ')})`,
    values: columns.map((name) => row[name]),
  });
}
