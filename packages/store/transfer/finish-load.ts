// What is left to do when all rows of an export are in their tables: sequences, what the database says that it holds,
// and statistics for the planner.
import type pg from 'pg';
import { inTransaction, withClient } from '../../postgres/wire/connect-client.ts';
import { notifyReaders } from '../../schema/block-channel.ts';
import { quoteName } from '../../schema/sql-names.ts';
import { settleLoadedDays } from '../write/day-totals.ts';
import { keepStorage } from './keep-storage.ts';
import { insertLeftOutParts, type LeftOutPart } from './left-out-parts.ts';
import { type RowChoice, transferTables } from './transfer-tables.ts';

export type FinishedLoad = { choice: RowChoice; leftOut: readonly LeftOutPart[] };

/** Before the tables have indexes and keys; may be repeated. */
export async function finishLoad(client: pg.Client, { choice, leftOut }: FinishedLoad): Promise<void> {
  await inTransaction(client, async () => {
    await advanceIdentities(client);
    await settleExtent(client, choice);
    await settleLoadedDays(client);
    await keepStorage(client);
    await insertLeftOutParts(client, leftOut);
    await notifyReaders(client, null);
  });
}

/** Of the tables that have rows, so many at a time. */
export async function analyzeTables(connectionString: string, tablesAtOnce: number): Promise<void> {
  const waiting = await withClient(connectionString, 'bootstrap', async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
where relnamespace = current_schema()::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
order by pg_relation_size(oid) desc`,
    );
    return rows.map(({ name }) => name);
  });
  const work = (): Promise<void> =>
    withClient(connectionString, 'bootstrap', async (client) => {
      for (let name = waiting.shift(); name; name = waiting.shift()) await client.query(`analyze ${name}`);
    });
  await Promise.all(Array.from({ length: tablesAtOnce }, work));
}

/** COPY writes identity columns without their sequences. */
async function advanceIdentities(client: pg.Client): Promise<void> {
  for (const { name, columns } of transferTables.values()) {
    for (const [column, { sql = '' }] of Object.entries(columns)) {
      if (!sql.includes('as identity')) continue;
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), max(${quoteName(column)})) from ${quoteName(name)}
having max(${quoteName(column)}) is not null`,
        [quoteName(name), column],
      );
    }
  }
}

/**
 * State without its past is what a mirror holds that has dropped it: sums are known from the beginning, if the
 * exporting mirror knew it, and from `kept_from` on nothing is missing.
 */
async function settleExtent(client: pg.Client, choice: RowChoice): Promise<void> {
  if (choice.kind === 'all') return;
  const keptFrom =
    choice.kind === 'state'
      ? '(select max(consensus_end) + 1 from record_file)'
      : `coalesce((select case when consensus_start < ${choice.since} then consensus_end + 1 end
  from record_file where consensus_end >= ${choice.since} order by consensus_end limit 1), ${choice.since})`;
  await client.query(
    `insert into mirror_extent (id, begun_at, kept_from, knows_beginning) select 1, 'genesis', ${keptFrom}, true
where exists (select from record_file)
on conflict (id) do update set kept_from = greatest(mirror_extent.kept_from, excluded.kept_from),
  knows_beginning = coalesce(mirror_extent.knows_beginning, excluded.knows_beginning)`,
  );
}
