// Parts of months that an export has and the database does not: rows of one large application, which its minimal set
// leaves out.
import type pg from 'pg';
import type { Database } from '../../postgres/wire/database.ts';
import { canRead } from '../read/select-one.ts';
import { expression, type RowOf, selectAll, selectQuery } from '../read/statement/columns.ts';

/** `month`: `2026_01`; null = the whole table. `rows`: null = the manifest does not say. */
export type LeftOutPart = { table: string; month: string | null; rows: number | null };

export async function insertLeftOutParts(client: pg.Client, parts: readonly LeftOutPart[]): Promise<void> {
  for (const { table, month, rows } of parts) {
    await client.query(
      `insert into left_out_part (table_name, month, row_count) values ($1, $2, $3) on conflict do nothing`,
      [table, month ?? '', rows],
    );
  }
}

const leftOutPart = selectAll(
  expression('table', 'text', 'table_name'),
  // `2026_01`; empty = the whole table.
  expression('month', 'text', 'month'),
  expression('rows', 'int8', 'row_count').nullable(),
);
export type StoredLeftOutPart = RowOf<typeof leftOutPart>;

/** By table and month. */
export async function selectLeftOutParts(db: Database): Promise<StoredLeftOutPart[]> {
  if (!(await canRead(db, 'left_out_part'))) return [];
  const from = 'from left_out_part order by table_name, month';
  return db.query(selectQuery({ name: 'select-left-out-parts', select: leftOutPart, from }));
}
