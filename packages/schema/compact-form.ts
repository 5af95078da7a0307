// The compact form of a database: what transactions moved is stored once. Usually a transfer stands three times: packed
// in its transaction, as a row, and in two indexes of that row. In the compact form, before a border that moves
// forward, it stands packed alone, and the times of each entity's transactions stand in lists of up to a hundred.
// The tables whose rows went are views of the same name and columns, so that programs that read them find the same rows:
// another program, an export, a server that was started before. By time a view is as fast as the table was; by entity
// it reads everything, so statements of this program read the lists themselves (packages/store/read/compact).

import type pg from 'pg';
import { packedVersions } from './packed-transfers.ts';
import { quoteName, quoteNames } from './sql-names.ts';
import { transactionTables } from './transaction-tables.ts';

/** Tables whose rows are moved, and where they are stored until then. */
export const rowsOf = {
  crypto_transfer: 'crypto_transfer_rows',
  token_transfer: 'token_transfer_rows',
} as const;

export type MovedTable = keyof typeof rowsOf;

export const movedTables = Object.keys(rowsOf) as MovedTable[];

/** Where rows of a table are stored. */
export function storedTable(table: string, isCompact: boolean): string {
  return isCompact && table in rowsOf ? rowsOf[table as MovedTable] : table;
}

/** Whether a database has the form. */
export const isCompactQuery = `select to_regclass('compact_extent') is not null as found`;

export async function isCompact(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(isCompactQuery);
  return rows[0]!.found;
}

/** Before any consensus timestamp. */
const beginning = -(2n ** 63n);

/** Times in a list: its row is shorter than what PostgreSQL stores outside of the table. */
export const momentsInList = 100;

/** What is made for the form: what it holds is in the views, too. */
export const formTables: readonly string[] = [...Object.values(rowsOf), 'entity_moments', 'compact_extent'];

/** SQL: that a transaction before the border has no rows in the tables. */
export const isAlone = (alias: string): string => `get_byte(${alias}.packed_transfers, 0) = ${packedVersions.alone}`;

/** SQL: that the rows of a transaction are stored packed alone. */
export const isMoved = (alias: string): string =>
  `${alias}.consensus_timestamp < (select border from compact_extent) and ${isAlone(alias)}`;

/**
 * SQL: a call of one of PostgreSQL's functions of advisory locks. Who moves rows into the form has it alone, who takes
 * them out shares it: no row is moved that is replaced just now, and no partition is dropped that rows come back to.
 */
export const holdMovedRows = (lock: string): string => `${lock}(hashtext('ledger-mirror moved rows'))`;

/** The rows of transactions `t`, in the columns of the table. */
export const movedRows: Record<MovedTable, (condition: string) => string> = {
  crypto_transfer: (condition) =>
    `select ${listed('crypto_transfer', {
      amount: 'u.amount',
      consensus_timestamp: 't.consensus_timestamp',
      entity_id: 'u.entity_id',
      errata: 'null::errata_type',
      is_approval: 'u.is_approval',
      payer_account_id: 't.payer_account_id',
    })} from transaction t cross join lateral hbar_transfers_in(t.packed_transfers) u where ${condition}`,
  token_transfer: (condition) =>
    `select ${listed('token_transfer', {
      account_id: 'u.account_id',
      amount: 'u.amount',
      consensus_timestamp: 't.consensus_timestamp',
      is_approval: 'u.is_approval',
      payer_account_id: 't.payer_account_id',
      token_id: 'u.token_id',
    })} from transaction t cross join lateral token_transfers_in(t.packed_transfers) u where ${condition}`,
};

/** Of a column of the description each; in that order. */
function listed<T extends MovedTable>(
  table: T,
  sql: Record<keyof (typeof transactionTables)[T]['columns'], string>,
): string {
  return Object.keys(transactionTables[table].columns)
    .map((column) => `${sql[column as keyof typeof sql]} as ${quoteName(column)}`)
    .join(', ');
}

/**
 * Gives a database the form, in one transaction and at once: no row is moved. `entity_moments`: consensus timestamps of
 * the transactions before the border that moved something of an entity, ascending. `compact_extent`: the border, and how
 * long the longest slice was that moved it: no list is longer; and the moment before which transactions were dropped, of
 * which lists may still have the times.
 */
export function compactFormStatements(): string[] {
  return [
    ...movedTables.map((table) => `alter table ${table} rename to ${rowsOf[table]}`),
    `create table entity_moments (
  entity_id int8 not null,
  first_timestamp int8 not null,
  moments int8[] not null,
  primary key (entity_id, first_timestamp)
)`,
    // Lists are added in order of time.
    `create index on entity_moments using brin (first_timestamp) with (pages_per_range = 32)`,
    `create table compact_extent (
  id int2 primary key check (id = 1),
  border int8 not null,
  longest_ns int8 not null,
  dropped_until int8 not null
)`,
    `insert into compact_extent values (1, ${beginning}, 0, ${beginning})`,
    int8In,
    hbarTransfersIn,
    tokenTransfersIn,
    ...movedTables.map(
      (table) =>
        `create view ${table} as select ${quoteNames(Object.keys(transactionTables[table].columns))} from ${rowsOf[table]}
union all ${movedRows[table](isMoved('t'))}`,
    ),
  ];
}

const int8In = `create function int8_in(packed bytea, place int4) returns int8
language sql immutable strict parallel safe
return ('x' || encode(substring(packed from place + 1 for 8), 'hex'))::bit(64)::int8`;

const count = (place: number): string => `(get_byte(packed, ${place}) * 256 + get_byte(packed, ${place + 1}))`;

/** See packed-transfers.ts. Bound to what they call when they are made: a reader may have another search path. */
const hbarTransfersIn = `create function hbar_transfers_in(packed bytea)
returns table (entity_id int8, amount int8, is_approval bool)
language sql immutable strict parallel safe begin atomic
  select int8_in(packed, place), int8_in(packed, place + 8), get_byte(packed, place + 16) = 1
  from generate_series(7, 7 + 17 * (${count(1)} - 1), 17) place;
end`;

const tokenTransfersIn = `create function token_transfers_in(packed bytea)
returns table (token_id int8, account_id int8, amount int8, is_approval bool)
language sql immutable strict parallel safe begin atomic
  select int8_in(packed, place), int8_in(packed, place + 8), int8_in(packed, place + 16), get_byte(packed, place + 24) = 1
  from generate_series(7 + 17 * ${count(1)}, 7 + 17 * ${count(1)} + 25 * (${count(3)} - 1), 25) place;
end`;
