// Turns a database of this program into the layout of a Hiero mirror node: its keys and indexes and no others, its
// migration table, none of ours. Version 2 is the layout for Citus: other key names, some tables without a key.
import type pg from 'pg';
import type { Table } from '../../../packages/schema/table.ts';
import { tables } from '../../../packages/schema/tables.ts';

export type HieroLayout = 'v1' | 'v2';

export async function toHieroLayout(client: pg.Client, layout: HieroLayout): Promise<void> {
  for (const statement of await ownThings(client)) await client.query(statement);
  for (const statement of layout === 'v1' ? [] : await keysOfV2(client)) await client.query(statement);
  await client.query('create table flyway_schema_history (installed_rank int primary key, version varchar(50))');
  await client.query('analyze');
}

/** Tables of ours, and indexes that the mirror node does not have or has with fewer columns. */
async function ownThings(client: pg.Client): Promise<string[]> {
  const theirs = new Set(
    Object.entries(tables).flatMap(([name, { kind, own }]: [string, Table]) =>
      own ? [] : kind === 'versioned' ? [name, `${name}_history`] : [name],
    ),
  );
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const ours = rows.filter(({ name }) => !theirs.has(name)).map(({ name }) => `drop table ${name} cascade`);
  const { rows: indexes } = await client.query<{ name: string }>(
    `select indexname as name from pg_indexes where schemaname = 'public' and
       (indexdef like '%(staked_account_id)%' or indexdef like '%lower(%name%' or indexdef like '%(creator_account_id DESC, schedule_id)%')`,
  );
  const ownColumns = Object.entries(tables).flatMap(([name, { columns }]: [string, Table]) =>
    Object.entries(columns).flatMap(([column, { own }]) => (own ? [`alter table ${name} drop column ${column}`] : [])),
  );
  return [
    ...ours,
    ...ownColumns,
    ...indexes.map(({ name }) => `drop index if exists ${name}`),
    'create index on schedule (creator_account_id desc)',
  ];
}

async function keysOfV2(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; key: string }>(
    `select conrelid::regclass::text as table, conname::text as key from pg_constraint
     where contype = 'p' and connamespace = 'public'::regnamespace and conparentid = 0`,
  );
  const withoutKey = new Set(['transaction', 'file_data']);
  return [
    ...rows.map(({ table, key }) =>
      withoutKey.has(table)
        ? `alter table ${table} drop constraint ${key}`
        : `alter table ${table} rename constraint ${key} to ${table}__pk`,
    ),
    'create index on transaction (consensus_timestamp)',
    'create index on file_data (consensus_timestamp)',
  ];
}
