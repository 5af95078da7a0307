// Makes PostgreSQL plan for a ledger of any size over a small one: the files of tables and indexes are made longer by
// empty pages that take no room, the statistics say as many rows for each page, and as many distinct values for each
// row. Rows and answers are the same. The server must run on this machine, as a user whose files this process may
// change.
import { chownSync, closeSync, openSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

const pageBytes = 8192;
/** Of one file; what is longer goes on in the next one. */
const pagesOfFile = 131_072;

export type Growth = {
  /** Of rows and pages. */
  rows: number;
  /** Of distinct values, e.g. how many more accounts there are. */
  distinct: number;
};

/** `client`: of a superuser. Statistics of the tables must be there. */
export async function growTables(client: pg.Client, { rows: times, distinct }: Growth): Promise<void> {
  const { rows: settings } = await client.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  );
  const { rows } = await client.query<{ oid: number; path: string; pages: number; rows: number }>(
    `select c.oid::int4, pg_relation_filepath(c.oid) as path, (pg_relation_size(c.oid) / ${pageBytes})::int4 as pages, c.reltuples as rows
from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'i') and c.reltuples > 0`,
  );
  // Nothing is written there later.
  await client.query('checkpoint');
  for (const { oid, path, pages, rows: count } of rows) {
    const grown = Math.ceil(pages * times);
    extend(join(settings[0]!.folder, path), grown);
    await client.query(
      `update pg_class set relpages = ${grown}, reltuples = ${count * times}, relallvisible = relallvisible * ${times} where oid = ${oid}`,
    );
  }
  // Above a tenth of the rows PostgreSQL says it as a share of them already.
  await client.query(
    `update pg_statistic set stadistinct = stadistinct * ${distinct}
where stadistinct > 50 and starelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)`,
  );
}

/** Of the first file, and of those that go on from it. */
function extend(path: string, pages: number): void {
  const { uid, gid } = statSync(path);
  for (let file = 0; file * pagesOfFile < pages; file++) {
    const name = file === 0 ? path : `${path}.${file}`;
    closeSync(openSync(name, 'a'));
    chownSync(name, uid, gid);
    truncateSync(name, Math.min(pages - file * pagesOfFile, pagesOfFile) * pageBytes);
  }
}
