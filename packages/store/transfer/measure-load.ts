// How fast rows of an export come into this database, and how much room they take: a sample goes into a table that is
// not kept.
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { withClient } from '../../postgres/wire/connect-client.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';

export type LoadSample = {
  table: string;
  columns: readonly string[];
  /** CSV of whole rows, without a header. */
  text: Buffer;
};

export type MeasuredLoad = { rows: number; seconds: number; diskBytes: number };

export async function measureLoad(
  connectionString: string,
  { table, columns, text }: LoadSample,
): Promise<MeasuredLoad> {
  return withClient(connectionString, 'bootstrap', async (client) => {
    await client.query(`set datestyle = 'ISO, YMD'; begin`);
    const list = quoteNames(columns);
    await client.query(`create temporary table measured as select ${list} from ${quoteName(table)} limit 0`);
    const startedMs = performance.now();
    const stream = client.query(copyFrom(`copy measured (${list}) from stdin (format csv)`));
    stream.end(text);
    await finished(stream);
    const seconds = (performance.now() - startedMs) / 1000;
    const { rows: sizes } = await client.query<{ size: string }>(`select pg_table_size('measured')::text as size`);
    await client.query('rollback');
    return { rows: stream.rowCount, seconds, diskBytes: Number(sizes[0]!.size) };
  });
}
