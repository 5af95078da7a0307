// Takes rows of the past out of the compact form again, before the import replaces them.
import type pg from 'pg';
import { holdMovedRows, isMoved, movedRows, movedTables, rowsOf } from '../../schema/compact-form.ts';
import { packedVersions } from '../../schema/packed-transfers.ts';
import { quoteNames } from '../../schema/sql-names.ts';
import { tables } from '../../schema/tables.ts';
import type { TimeSpan } from './block-changes.ts';

/**
 * In the caller's transaction: the tables have the rows of all transactions of the time. Transactions that the caller
 * writes there must be marked in the end (`markAsBeside`).
 */
export async function restoreRows(client: pg.Client, span: TimeSpan): Promise<void> {
  const values = [span.from, span.to];
  await client.query({ name: 'hold-moved-rows', text: `select ${holdMovedRows('pg_advisory_xact_lock_shared')}` });
  for (const table of movedTables) {
    const moved = `${isMoved('t')} and ${isWithin('t.consensus_timestamp')}`;
    const columns = quoteNames(Object.keys(tables[table].columns));
    await client.query({
      name: `restore-${table}`,
      text: `insert into ${rowsOf[table]} (${columns}) ${movedRows[table](moved)}`,
      values,
    });
  }
  await markAsBeside(client, span);
  await client.query({ name: 'shorten-lists', text: shortenLists, values });
}

/** Transactions of the time, before the border: the tables have their rows. */
export async function markAsBeside(client: pg.Client, { from, to }: TimeSpan): Promise<void> {
  await client.query({ name: 'mark-as-beside', text: markBeside, values: [from, to] });
}

const isWithin = (moment: string): string => `${moment} >= $1::int8 and ${moment} <= $2::int8`;

const mayHold = `l.first_timestamp <= $2::int8 and l.first_timestamp >= $1::int8 - (select longest_ns from compact_extent)`;

const markBeside = `update transaction t set packed_transfers = set_byte(t.packed_transfers, 0, ${packedVersions.beside})
where ${isWithin('t.consensus_timestamp')} and ${isMoved('t')}`;

/** A list keeps its first timestamp, which none of its moments lies before. */
const shortenLists = `with shorter as (
  update entity_moments l set moments = array(
    select at from unnest(l.moments) m (at) where not (${isWithin('m.at')}) order by at
  )
  where ${mayHold} and exists (select from unnest(l.moments) m (at) where ${isWithin('m.at')})
  returning l.entity_id, l.first_timestamp, l.moments
)
delete from entity_moments l using shorter s
where l.entity_id = s.entity_id and l.first_timestamp = s.first_timestamp and cardinality(s.moments) = 0`;
