// Rows of an export's file, read by PostgreSQL as it would load them; nothing of them is kept.
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withClient } from '../../postgres/wire/connect-client.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import type { LoadSample } from './measure-load.ts';

/** `select`: of the relation `sample`, which has all columns of the table. */
export async function selectSample<Row extends pg.QueryResultRow>(
  connectionString: string,
  { table, columns, text }: LoadSample,
  select: string,
): Promise<Row[]> {
  return withClient(connectionString, 'bootstrap', async (client) => {
    await client.query(`set datestyle = 'ISO, YMD'; begin`);
    await client.query(`create temporary table sample as select * from ${quoteName(table)} limit 0`);
    const stream = client.query(copyFrom(`copy sample (${quoteNames(columns)}) from stdin (format csv)`));
    stream.end(text);
    await finished(stream);
    const { rows } = await client.query<Row>(select);
    await client.query('rollback');
    return rows;
  });
}
