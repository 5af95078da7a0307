// How a table is described. The DDL, COPY, the merging of versions, row types, retention, filters, the placement in a
// cluster and what a foreign mirror's database may lack all follow from that one description.

import type { JsonValue, TimestampRange } from '../postgres/wire/values.ts';
import type { MergeRuleName } from './merge-rules.ts';

export type ColumnType =
  | 'int8'
  | 'int4'
  | 'int2'
  | 'bool'
  | 'bytea'
  | 'text'
  | 'jsonb'
  | 'int8[]'
  | 'int4[]'
  | 'int2[]'
  | 'bytea[]'
  | 'int8range'
  /** PostgreSQL enum types of the schema, written as text. */
  | 'entity_type'
  | 'token_type'
  | 'token_supply_type'
  | 'token_pause_status'
  | 'errata_type'
  | 'airdrop_state'
  | 'hook_extension_point'
  | 'hook_type';

/** Labels of the enum types, in the order that PostgreSQL sorts them by. */
export const enumTypes = {
  entity_type: ['UNKNOWN', 'ACCOUNT', 'CONTRACT', 'FILE', 'TOPIC', 'TOKEN', 'SCHEDULE'],
  token_type: ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'],
  token_supply_type: ['INFINITE', 'FINITE'],
  token_pause_status: ['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED'],
  errata_type: ['INSERT', 'DELETE'],
  airdrop_state: ['PENDING', 'CLAIMED', 'CANCELLED'],
  hook_extension_point: ['ACCOUNT_ALLOWANCE_HOOK'],
  hook_type: ['EVM'],
} as const;

/** The values of a column of an enum type, by type. */
export type EnumLabel = { [Type in keyof typeof enumTypes]: (typeof enumTypes)[Type][number] };

type ValueOfType = {
  int8: bigint;
  int4: number;
  int2: number;
  bool: boolean;
  bytea: Uint8Array;
  text: string;
  jsonb: JsonValue;
  'int8[]': bigint[];
  'int4[]': number[];
  'int2[]': number[];
  'bytea[]': Uint8Array[];
  int8range: TimestampRange;
} & { [Type in keyof EnumLabel]: string };

export type DescribedColumn = {
  /** The last ones only in tables that the Hiero schema does not have. */
  type: ColumnType | 'json' | 'numeric' | 'timestamptz' | 'uuid';
  /** NOT NULL. */
  required?: boolean;
  /** SQL default, e.g. `0`, `''`, `false`. */
  default?: string;
  /** Further SQL of the column: an identity, a reference, a check. */
  sql?: string;
};

export type Column = DescribedColumn & {
  type: ColumnType;
  /** It holds entities that a transaction touches: who pays, sends, receives, is called, or has something changed. */
  touched?: boolean;
  /** Not in the Hiero mirror node's table. Answers are the same without it. */
  own?: boolean;
  /** How a newer value merges with the stored one in versions, adjustments and upserts; default `replace`. */
  merge?: MergeRuleName;
  /** With `keep`: the older value is dropped if this boolean column of the older row is true. */
  restartsAfter?: string;
  /** SQL over the new row `n`: value of a created row that does not set it, instead of `default`. */
  initial?: string;
  /** Unset in any row in which this boolean column is true. */
  nullWhen?: string;
  /**
   * With `add`: if the ledger's beginning is unknown, a sum is known only for rows that were created with this column;
   * else it is null.
   */
  sumsSince?: string;
  /** Text: an empty value clears the stored one. */
  emptyClears?: boolean;
};

/** What every table must state; without a fact it does not compile. */
export type DescribedTable = {
  /** The primary key; empty = none. */
  key: readonly string[];
  columns: Readonly<Record<string, DescribedColumn>>;
  /** Its place in a database that Citus distributes over several machines; its history lies with it. */
  placement: Placement;
  /** Whether answers read it: then a database that this program does not own must have it. */
  answers: AnswersUse;
  /** Further index definitions, SQL after `on <table>`. */
  indexes?: readonly string[];
};

/** A table of the ledger. */
export type Table = DescribedTable & {
  /**
   * insert: rows are only added, by COPY. upsert: one row a key, merged in place. versioned: the current row carries
   * `timestamp_range` [from,), earlier versions go to `<name>_history`.
   */
  kind: 'insert' | 'upsert' | 'versioned';
  columns: Readonly<Record<string, Column>>;
  past: Past;
  /** Not in the Hiero mirror node. */
  own?: boolean;
  /** Column that big tables are range-partitioned by. */
  partitionBy?: string;
  /** Further indexes of `<name>_history`, which has (key, lower(timestamp_range)) anyway. */
  historyIndexes?: readonly string[];
  /** `answers` of `<name>_history`; default `none`. */
  historyAnswers?: AnswersUse;
  /** A row that sets the column `when` inherits nothing in `columns` from earlier ones. */
  reset?: { readonly when: string; readonly columns: readonly string[] };
};

/**
 * `without`: what answers lack if the table is missing, the end of a sentence for the operator. `together`: a whole
 * sentence about all tables that share it.
 */
export type AnswersUse = 'needed' | 'none' | { readonly without: string } | { readonly together: string };

/**
 * What happens to the rows when the past before a moment is dropped. The rest answers every question about the moment
 * and later as before (docs/reference/partial-mirror.md).
 */
export type Past =
  /** Rows of single moments, dropped with their block; the column with the time. */
  | { readonly moment: string }
  /** Rows that hold until the next one with the same columns: the newest before the moment stays. */
  | { readonly changeOf: readonly string[] }
  /**
   * Snapshots: everything that the newest one before the moment needs stays, also rows written earlier in its month.
   */
  | { readonly snapshotOf: readonly string[] }
  /** Versions that ended before the moment are dropped. */
  | 'versions'
  /** The row-dropper has a statement for it. */
  | 'own rule'
  /** State, and the few facts that are needed whatever their age: of nodes, stakes, signatures of schedules. */
  | 'stays';

/**
 * A reference table is whole on every machine; a local one is on the coordinator alone. Invariants: every unique key of
 * a distributed table has its distribution column (`distributedKeyOf` adds it if it is missing), that column has a
 * value in every row, and no statement ever changes it.
 */
export type Placement =
  | { readonly kind: 'distributed'; by: string; group: 'ids' | 'hashes'; reason: string }
  | { readonly kind: 'reference'; reason: string }
  | { readonly kind: 'local'; reason: string; isKnownToWorkers: boolean };

/** Column names as in the database. A missing or undefined member means "not set". */
export type RowOf<T extends Table> = { [C in keyof T['columns']]?: ValueOfType[T['columns'][C]['type']] | null };
