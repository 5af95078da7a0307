// Bytes of each table, with those outside of its rows, and of each index; partitions count for their table.
import type pg from 'pg';

type MeasuredTable = { table: string; bytes: number; indexes: { columns: string; bytes: number }[] };
export type MeasuredStorage = MeasuredTable[];

export async function measureStorage(client: pg.Client): Promise<MeasuredStorage> {
  const { rows: tables } = await client.query<{ table: string; bytes: string }>(
    `select root.relname::text as table, sum(pg_table_size(leaf.oid)) as bytes
from pg_class root, lateral (
  select relid as oid from pg_partition_tree(root.oid) where isleaf
  union select root.oid where root.relkind = 'r'
) leaf
where root.relnamespace = current_schema()::regnamespace and root.relkind in ('r', 'p') and not root.relispartition
group by 1`,
  );
  const { rows: indexes } = await client.query<{ table: string; columns: string; bytes: string }>(
    `select coalesce(parent.relname, t.relname)::text as table,
  case when i.indisprimary then 'key ' else '' end || regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING \\w+ ', '') as columns,
  sum(pg_relation_size(i.indexrelid)) as bytes
from pg_index i join pg_class t on t.oid = i.indrelid
left join (pg_inherits h join pg_class parent on parent.oid = h.inhparent) on h.inhrelid = t.oid
where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
group by 1, 2`,
  );
  const ofTable = Map.groupBy(indexes, ({ table }) => table);
  return tables.map(({ table, bytes }) => ({
    table,
    bytes: Number(bytes),
    indexes: (ofTable.get(table) ?? []).map(({ columns, bytes: ofIndex }) => ({ columns, bytes: Number(ofIndex) })),
  }));
}
