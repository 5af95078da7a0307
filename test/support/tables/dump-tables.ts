// All rows of all tables as JSON text, without columns in which two databases may differ.
import pg from 'pg';
import { formTables } from '../../../packages/schema/compact-form.ts';
import { contractTokenTables, tokenTotalTables } from '../../../packages/schema/contract-token-tables.ts';

/** In the background, by each process for itself. */
const summedUp = { ...contractTokenTables, ...tokenTotalTables };

export type TablesDump = Record<string, string[]>;

/**
 * Columns to leave out, by table; `*` = the whole table. What is summed up of tokens is left out, too.
 */
export async function dumpTables(connectionString: string, without: Record<string, string[]>): Promise<TablesDump> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: names } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
  and c.relname <> all ($1) order by 1`,
      [formTables],
    );
    const dump: TablesDump = {};
    for (const { name } of names) {
      const left = without[name] ?? [];
      if (left.includes('*') || Object.hasOwn(summedUp, name)) continue;
      const { rows } = await client.query<{ line: string }>(
        `select (to_jsonb(t) - $1::text[])::text as line from "${name}" t order by 1`,
        [left],
      );
      dump[name] = rows.map(({ line }) => line);
    }
    return dump;
  } finally {
    await client.end();
  }
}
