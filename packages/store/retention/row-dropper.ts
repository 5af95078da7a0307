// Drops everything before a moment, a few blocks at a time, on a separate connection: one transaction for each, so that
// readers see whole blocks or none, and a kill loses nothing. Rows are deleted instead of dropping daily partitions: on
// the account page every partition costs more than deleting does (docs/reference/partial-mirror.md). Partitions of
// years that lie before the moment are detached.
// Invariant: mirror_extent.kept_from never lies before a dropped row.
import type pg from 'pg';
import { pause } from '../../kit/pause.ts';
import { connectClient, inTransaction } from '../../postgres/wire/connect-client.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { notifyReaders } from '../../schema/block-channel.ts';
import { isCompact, storedTable } from '../../schema/compact-form.ts';
import { isDistributed } from '../../schema/migration/distribute.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import { changeTables, historyTables, momentTables, snapshotTables } from './kept-rows.ts';
import {
  dropPartition,
  ensureTimeIndex,
  type LeafTable,
  selectDetachedTables,
  selectLeafTables,
} from './leaf-tables.ts';

export type RowDropper = {
  /**
   * Drops whole blocks before `before`, a consensus timestamp between two blocks. An aborted signal ends it between two
   * steps.
   */
  dropBefore(before: bigint, signal?: AbortSignal): Promise<DroppedRows>;
  close(): Promise<void>;
};

export type DroppedRows = { blocks: number; rows: number };

/** Transactions whose rows are deleted at a time: a fraction of a second. */
const transactionsAtATime = 5_000;
const versionsAtATime = 10_000;

export async function createRowDropper(connectionString: string): Promise<RowDropper> {
  const client = await connectClient(connectionString, 'retention');
  await client.query(`set jit = off; set statement_timeout = 0; set lock_timeout = '10s'`);
  if (await isDistributed(client)) {
    await client.end();
    // Rows are found by ctid, which is local to each machine.
    throw new Error('Nothing is dropped from a database that is distributed over several machines. Leave out --keep.');
  }
  const hasCompactForm = await isCompact(client);
  return {
    dropBefore: (before, signal) => dropBefore(client, { before, hasCompactForm }, signal),
    close: () => client.end(),
  };
}

type Drop = { before: bigint; hasCompactForm: boolean };

async function dropBefore(client: pg.Client, drop: Drop, signal?: AbortSignal): Promise<DroppedRows> {
  const { before, hasCompactForm } = drop;
  const dropped = { blocks: 0, rows: 0 };
  const touched = new Set<string>();
  await dropPartitions(client, drop);
  const leaves = await selectMomentLeaves(client, drop);
  while (!signal?.aborted) {
    const started = performance.now();
    const slice = await dropSlice(client, { ...drop, leaves, touched });
    if (!slice) break;
    dropped.blocks += slice.blocks;
    dropped.rows += slice.rows;
    // At most half of a processor: import and queries come first.
    await pause(performance.now() - started);
  }
  if (signal?.aborted) return dropped;
  dropped.rows += await dropOutlived(client, before, touched);
  if (hasCompactForm) await dropLists(client, before, touched);
  for (const table of touched) {
    if (signal?.aborted) break;
    // Pages at the end are not given back, which would lock readers out; new rows fill them.
    await client.query(`vacuum (truncate false, skip_locked) ${quoteName(table)}`);
  }
  return dropped;
}

/** Whole years, of all tables of moments. */
async function dropPartitions(client: pg.Client, { before, hasCompactForm }: Drop): Promise<void> {
  for (const [table] of momentTables) {
    const stored = storedTable(table, hasCompactForm);
    for (const name of await selectDetachedTables(client, stored, table)) {
      await client.query(`drop table ${quoteName(name)}`);
    }
    for (const leaf of await selectLeafTables(client, stored)) {
      if (!leaf.bounds || leaf.bounds.to > before) continue;
      await keepFrom(client, leaf.bounds.to, hasCompactForm);
      await dropPartition(client, stored, leaf);
      await notifyReaders(client, null);
    }
  }
}

/** A table that holds rows of moments, and its time column. */
type MomentLeaf = LeafTable & { column: string };

async function selectMomentLeaves(client: pg.Client, { before, hasCompactForm }: Drop): Promise<MomentLeaf[]> {
  const leaves: MomentLeaf[] = [];
  for (const [table, column] of momentTables) {
    for (const leaf of await selectLeafTables(client, storedTable(table, hasCompactForm))) {
      if (leaf.bounds && leaf.bounds.from >= before) continue;
      await ensureTimeIndex(client, leaf.name, column);
      leaves.push({ ...leaf, column });
    }
  }
  return leaves;
}

type Slice = Drop & { leaves: readonly MomentLeaf[]; touched: Set<string> };

/** The oldest blocks before the moment; null when there are none left. */
async function dropSlice(client: pg.Client, slice: Slice): Promise<DroppedRows | null> {
  const { before, leaves, touched, hasCompactForm } = slice;
  const { rows } = await client.query<{ last: string; blocks: number }>(oldestBlocks, [before, transactionsAtATime]);
  if (!rows[0]) return null;
  const border = BigInt(rows[0].last) + 1n;
  let count = 0;
  await inTransaction(client, async () => {
    // Rows are found by the time index, however small the tables were at the last ANALYZE.
    await client.query('set local enable_seqscan = off');
    await keepFrom(client, border, hasCompactForm);
    for (const { name, column, bounds } of leaves) {
      if (bounds && bounds.from >= border) continue;
      const deleted = await client.query(`delete from ${quoteName(name)} where ${quoteName(column)} < $1`, [border]);
      count += deleted.rowCount ?? 0;
      if (deleted.rowCount) touched.add(name);
    }
    await notifyReaders(client, null);
  });
  return { blocks: rows[0].blocks, rows: count };
}

/** Versions that later rows have replaced. */
async function dropOutlived(client: pg.Client, before: bigint, touched: Set<string>): Promise<number> {
  let count = 0;
  const run = async (table: string, text: string, values: unknown[]): Promise<number> => {
    const deleted = (await client.query(text, values)).rowCount ?? 0;
    if (deleted > 0) for (const { name } of await selectLeafTables(client, table)) touched.add(name);
    count += deleted;
    return deleted;
  };
  for (const [table, key] of changeTables) {
    await run(table, deleteReplaced(table, key), [before, minTimestamp]);
  }
  const { rows } = await client.query<{ newest: string | null; month: string | null }>(newestSnapshot, [before]);
  const { newest, month } = rows[0]!;
  if (newest !== null && month !== null) {
    for (const [table, key] of snapshotTables) {
      await run(table, `delete from ${quoteName(table)} where consensus_timestamp < $1`, [month]);
      await run(table, deleteReplaced(table, key), [BigInt(newest) + 1n, month]);
    }
    const list = 'delete from account_balance_file where consensus_timestamp < $1';
    await run('account_balance_file', list, [newest]);
  }
  await run('file_data', deleteOldContent, [before]);
  for (const history of historyTables) {
    const text = `delete from ${quoteName(history)} where ctid = any(array(
  select ctid from ${quoteName(history)} where upper(timestamp_range) <= $1 limit ${versionsAtATime}))`;
    while ((await run(history, text, [before])) === versionsAtATime);
  }
  await notifyReaders(client, null);
  return count;
}

/** Lists of which every transaction was dropped; of others readers leave out those. */
async function dropLists(client: pg.Client, before: bigint, touched: Set<string>): Promise<void> {
  const text = `delete from entity_moments where first_timestamp < $1 and moments[cardinality(moments)] < $1`;
  if ((await client.query(text, [before])).rowCount) touched.add('entity_moments');
}

async function keepFrom(client: pg.Client, timestamp: bigint, hasCompactForm: boolean): Promise<void> {
  if (hasCompactForm) {
    await client.query('update compact_extent set dropped_until = greatest(dropped_until, $1)', [timestamp]);
  }
  await client.query(
    `insert into mirror_extent (id, begun_at, kept_from) values (1, 'genesis', $1)
on conflict (id) do update set kept_from = greatest(mirror_extent.kept_from, excluded.kept_from)`,
    [timestamp],
  );
}

const oldestBlocks = `select consensus_end::text as last, place::int4 as blocks from (
  select consensus_end, row_number() over earlier as place, sum(count) over earlier as total from (
    select consensus_end, count from record_file where consensus_end < $1 order by consensus_end limit 1000
  ) oldest window earlier as (order by consensus_end)
) summed where place = 1 or total <= $2 order by consensus_end desc limit 1`;

const newestSnapshot = `select newest::text, (extract(epoch from date_trunc('month', to_timestamp(newest / 1000000000), 'UTC')) * 1000000000)::int8::text as month
from (select max(consensus_timestamp) as newest from account_balance_file where consensus_timestamp < $1) s`;

const minTimestamp = -(2n ** 63n);

/** Of the rows in [$2, $1) with one key, all but the newest. */
function deleteReplaced(table: string, key: readonly string[]): string {
  const same = key.map((column) => `d.${quoteName(column)} = n.${quoteName(column)}`).join(' and ');
  return `delete from ${quoteName(table)} d using (
  select ${quoteNames(key)}, max(consensus_timestamp) as newest from ${quoteName(table)}
  where consensus_timestamp < $1 and consensus_timestamp >= $2 group by ${quoteNames(key)} having count(*) > 1
) n where ${same} and d.consensus_timestamp >= $2 and d.consensus_timestamp < n.newest`;
}

/** Parts of file contents before the version that was current at the moment. */
const deleteOldContent = `delete from file_data d using (
  select entity_id, max(consensus_timestamp) as newest from file_data
  where consensus_timestamp < $1
    and (transaction_type = ${typeNumber.fileCreate} or (transaction_type = ${typeNumber.fileUpdate} and length(file_data) <> 0))
  group by entity_id
) n where d.entity_id = n.entity_id and d.consensus_timestamp < n.newest`;
