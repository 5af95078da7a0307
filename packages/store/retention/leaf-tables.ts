// The tables that hold the rows: the table itself, or its partitions with their time ranges.
import type pg from 'pg';
import { quoteName } from '../../schema/sql-names.ts';

export type LeafTable = {
  name: string;
  /** Of a partition: consensus timestamps from `from` on, before `to`. */
  bounds: { from: bigint; to: bigint } | null;
  /** An earlier attempt to detach it was interrupted. */
  isLeaving: boolean;
};

/** Partitions in order of time. */
export async function selectLeafTables(client: pg.Client, table: string): Promise<LeafTable[]> {
  const { rows } = await client.query<{ name: string; bounds: string; leaving: boolean }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds, i.inhdetachpending as leaving
from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass($1)`,
    [quoteName(table)],
  );
  const { rows: parents } = await client.query<{ kind: string }>(
    'select relkind::text as kind from pg_class where oid = to_regclass($1)',
    [quoteName(table)],
  );
  if (parents[0]?.kind !== 'p') return [{ name: table, bounds: null, isLeaving: false }];
  return rows
    .map(({ name, bounds, leaving }) => ({ name, bounds: readBounds(bounds), isLeaving: leaving }))
    .sort((one, other) => (!other.bounds || (one.bounds && one.bounds.from < other.bounds.from) ? -1 : 1));
}

/** Partitions of years, by their common `name`, that were detached and, after an interruption, not dropped. */
export async function selectDetachedTables(client: pg.Client, table: string, name = table): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_class parent on parent.relnamespace = c.relnamespace
where parent.oid = to_regclass($1) and parent.relkind = 'p' and c.relkind = 'r' and not c.relispartition
  and c.relname ~ $2 order by 1`,
    [quoteName(table), `^${name}_p\\d{4}$`],
  );
  return rows.map(({ name }) => name);
}

/** Partition and rows. Readers and writers of others go on meanwhile. */
export async function dropPartition(client: pg.Client, table: string, { name, isLeaving }: LeafTable): Promise<void> {
  const how = isLeaving ? 'finalize' : 'concurrently';
  await client.query(`alter table ${quoteName(table)} detach partition ${quoteName(name)} ${how}`);
  await client.query(`drop table ${quoteName(name)}`);
}

/** null of a default partition. */
function readBounds(text: string): LeafTable['bounds'] {
  const match = /^FOR VALUES FROM \('?(-?\d+)'?\) TO \('?(-?\d+)'?\)$/.exec(text);
  return match && { from: BigInt(match[1]!), to: BigInt(match[2]!) };
}

/** Rows are found by time: makes the index for it if there is none, without blocking readers or writers. */
export async function ensureTimeIndex(client: pg.Client, leaf: string, column: string): Promise<void> {
  const { rows } = await client.query<{ name: string; valid: boolean; made: boolean }>(
    `select i.indexrelid::regclass::text as name, i.indisvalid as valid, c.relname = $3 as made
from pg_index i join pg_class c on c.oid = i.indexrelid
join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
where i.indrelid = to_regclass($1) and a.attname = $2 and i.indpred is null`,
    [quoteName(leaf), column, timeIndexName(leaf)],
  );
  if (rows.some(({ valid }) => valid)) return;
  // An earlier attempt was interrupted.
  for (const { name } of rows.filter(({ made }) => made)) await client.query(`drop index concurrently ${name}`);
  await client.query(
    `create index concurrently ${quoteName(timeIndexName(leaf))} on ${quoteName(leaf)} (${quoteName(column)})`,
  );
}

function timeIndexName(leaf: string): string {
  return `${leaf}_by_time`;
}
