// Select lists with the rows that they give: columns are named once, and their types follow from the schema's
// description. `selectQuery` makes the query, so the list in its text and the type of its rows cannot differ.

import { type CamelCase, toCamelCase } from '../../../kit/camel-case.ts';
import type { NamedQuery } from '../../../postgres/wire/database.ts';
import type { JsonValue, TimestampRange } from '../../../postgres/wire/values.ts';
import { quoteName } from '../../../schema/sql-names.ts';
import type { Column, ColumnType, EnumLabel } from '../../../schema/table.ts';
import { type ColumnName, type TableName, tables } from '../../../schema/tables.ts';

/** Part of a select list; `Row` is what it adds to a row. */
export type Selection<Row> = {
  /** Without `select`. */
  sql: string;
  parts: readonly string[];
  /** Part of the statement's shape, if one statement has several select lists. */
  shape?: string;
  /** Of its rows. */
  members: readonly string[];
  /** Of each member, as the schema names it; a column of another mirror node's database may have a domain over it. */
  types: readonly ColumnType[];
  /** The same from the nullable side of an outer join: all of it, or null in every member. */
  optional(): Selection<Row | Absent<Row>>;
  /** The same where each member may be null by itself. */
  nullable(): Selection<{ [Name in keyof Row]: Row[Name] | null }>;
  /** The same where the query's conditions exclude null. */
  present(): Selection<{ [Name in keyof Row]: NonNullable<Row[Name]> }>;
  /** Exists only as a type. */
  readonly row?: Row;
};

/** The row of a selection. */
export type RowOf<S> = S extends Selection<infer Row> ? Row : never;

/** A row with some members of another type. */
export type Replace<Row, Members> = Row extends unknown ? Omit<Row, keyof Members> & Members : never;

/** How a value of each type is read. */
type ReadValue = {
  int8: bigint;
  int4: number;
  int2: number;
  bool: boolean;
  bytea: Buffer;
  text: string;
  jsonb: JsonValue;
  'int8[]': bigint[];
  'int4[]': number[];
  'int2[]': number[];
  'bytea[]': Buffer[];
  int8range: TimestampRange;
} & EnumLabel;

type Columns<T extends TableName> = (typeof tables)[T]['columns'];
type ReadColumn<C> = C extends Column
  ? C extends { required: true }
    ? ReadValue[C['type']]
    : ReadValue[C['type']] | null
  : never;
export type Absent<Row> = { [Name in keyof Row]: null };
type RowOfAll<Parts> = Parts extends readonly [Selection<infer Row>, ...infer Rest] ? Row & RowOfAll<Rest> : unknown;
type Flat<Row> = Row extends unknown ? { [Name in keyof Row]: Row[Name] } : never;

/**
 * Columns of a table, or of its history. `alias`: the table's name in the query, if it has one. The short form lists
 * columns that keep their names, the other gives a column for each member of the row.
 */
export function columns<T extends TableName, Name extends ColumnName<T>>(
  table: T,
  names: readonly Name[],
  alias?: string,
): Selection<{ [N in Name as CamelCase<N>]: ReadColumn<Columns<T>[N]> }>;
export function columns<T extends TableName, const Names extends Readonly<Record<string, ColumnName<T>>>>(
  table: T,
  names: Names,
  alias?: string,
): Selection<{
  -readonly [Member in keyof Names as CamelCase<Member & string>]: ReadColumn<Columns<T>[Names[Member]]>;
}>;
export function columns(
  table: TableName,
  names: readonly string[] | Readonly<Record<string, string>>,
  alias?: string,
): Selection<unknown> {
  const members = Array.isArray(names) ? names.map((name) => [name, name]) : Object.entries(names);
  return selection(
    members.map(([member, column]) => toSql(member!, qualified(column!, alias), member === column)),
    members.map(([member]) => member!),
    members.map(([, column]) => typeOf(table, column!)),
  );
}

/** All columns of a table, and some under other names too: what `choosing` chooses from. `alias`: as of `columns`. */
export function everyColumn<
  T extends TableName,
  // biome-ignore lint/complexity/noBannedTypes: no other names
  const Names extends Readonly<Record<string, ColumnName<T>>> = {},
>(
  table: T,
  others = {} as Names,
  alias?: string,
): Selection<
  { [N in ColumnName<T> as CamelCase<N>]: ReadColumn<Columns<T>[N]> } & {
    -readonly [Member in keyof Names as CamelCase<Member & string>]: ReadColumn<Columns<T>[Names[Member]]>;
  }
> {
  const own = Object.keys(tables[table].columns).map((name): [string, string] => [name, name]);
  const members = [...own, ...Object.entries<string>(others)];
  return selection(
    members.map(([member, column]) => toSql(member, qualified(column, alias), member === column)),
    members.map(([member]) => member),
    members.map(([, column]) => typeOf(table, column)),
  );
}

/**
 * Selections of the wanted members of a row, if it has them, and of those that are always needed. The last of several
 * members with one name counts. Lists of the same members have one selection, and so one statement; it is found by the
 * list itself where that is the same one.
 */
export function choosing<Row, Needed extends keyof Row>(all: Selection<Row>, needed: readonly Needed[]) {
  const chosen = new WeakMap<readonly string[], Selection<unknown>>();
  const chosenByMembers = new Map<string, Selection<unknown>>();
  return <Name extends string>(wanted: readonly Name[]): Selection<Pick<Row, (Name & keyof Row) | Needed>> => {
    let found = chosen.get(wanted);
    if (!found) {
      const names = new Set<unknown>([...wanted, ...needed]);
      const places = [...all.members.entries()]
        .filter(([place, member]) => names.has(toCamelCase(member)) && all.members.lastIndexOf(member) === place)
        .map(([place]) => place);
      const at = <T>(list: readonly T[]): T[] => places.map((place) => list[place]!);
      const key = places.join();
      const shape = `${chosenByMembers.size}`;
      found = chosenByMembers.get(key) ?? { ...selection(at(all.parts), at(all.members), at(all.types)), shape };
      chosenByMembers.set(key, found);
      chosen.set(wanted, found);
    }
    return found as Selection<Pick<Row, (Name & keyof Row) | Needed>>;
  };
}

/** Columns as PostgreSQL's texts: for JSON with exact numbers. */
export function asTexts<T extends TableName, Name extends ColumnName<T>>(
  _table: T,
  names: readonly Name[],
  alias?: string,
): Selection<{ [N in Name as CamelCase<N>]: string | (null extends ReadColumn<Columns<T>[N]> ? null : never) }> {
  return selection(
    names.map((name) => toSql(name, `${qualified(name, alias)}::text`, false)),
    names,
    names.map(() => 'text'),
  );
}

/** A named SQL expression; `.nullable()` if it may be null. */
export function expression<Member extends string, Type extends ColumnType>(
  member: Member,
  type: Type,
  sql: string,
): Selection<{ [M in Member as CamelCase<M>]: ReadValue[Type] }> {
  return selection([toSql(member, sql, false)], [member], [type]);
}

/** Columns of a sub-query, as in its own selection. */
export function columnsOf<Row>(inner: Selection<Row>, alias: string): Selection<Row> {
  return selection([`${alias}.*`], inner.members, inner.types, inner);
}

/** Several parts as one. */
export function selectAll<const Parts extends readonly Selection<unknown>[]>(
  ...parts: Parts
): Selection<Flat<RowOfAll<Parts>>> {
  return selection(
    parts.flatMap((part) => part.parts),
    parts.flatMap(({ members }) => members),
    parts.flatMap(({ types }) => types),
  );
}

export type SelectQuery<Row> = {
  name: string;
  shape?: string;
  /** Common table expressions, without `with`. */
  tables?: string;
  /** SQL: only the first row of each value of this. */
  distinctOn?: string;
  select: Selection<Row>;
  /** Everything after the select list. */
  from?: string;
  values?: unknown[];
};

export function selectQuery<Row>(query: SelectQuery<Row>): NamedQuery<Row> {
  const { name, tables, distinctOn, select, from = '', values } = query;
  const shape = select.shape === undefined ? query.shape : `${query.shape ?? ''}${select.shape}`;
  const before = tables ? `with ${tables}\n` : '';
  const distinct = distinctOn ? `distinct on (${distinctOn}) ` : '';
  return { name, shape, text: `${before}select ${distinct}${select.sql}\n${from}`, values, reads: true };
}

function selection<Row>(
  parts: readonly string[],
  members: readonly string[],
  types: readonly ColumnType[],
  _like?: Selection<Row>,
): Selection<Row> {
  const self: Selection<Row> = {
    sql: parts.join(', '),
    parts,
    members,
    types,
    optional: () => self as Selection<Row | Absent<Row>>,
    nullable: () => self as unknown as ReturnType<Selection<Row>['nullable']>,
    present: () => self as unknown as ReturnType<Selection<Row>['present']>,
  };
  return self;
}

function typeOf(table: TableName, column: string): ColumnType {
  return (tables[table].columns as Readonly<Record<string, Column>>)[column]!.type;
}

function qualified(column: string, alias: string | undefined): string {
  return alias === undefined ? column : `${alias}.${column}`;
}

function toSql(member: string, sql: string, isColumn: boolean): string {
  return isColumn ? sql : `${sql} as ${quoteName(member)}`;
}
