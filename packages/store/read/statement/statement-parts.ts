// Parts that several statements share. Every part has a short code; a statement's shape consists of the codes of its
// parts, so that name and shape always identify one text, which is prepared only once a connection. Absent conditions
// are left out of the text: a plan made for `ts >= $1` with an open bound would be bad for hot accounts.

import { clampRange, type Range } from '../../../kit/range.ts';
import type { ColumnName, TableName } from '../../../schema/tables.ts';

export type Part = { code: string; sql(column: string): string };

export const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** Numbers of 32 bytes, as slots and topics of the EVM are. */
export const words = { min: 0n, max: 2n ** 256n - 1n };

/**
 * ` and <column> …` for each condition on an integer of any size; pushes its values, none beyond int64. Usable for
 * several columns.
 */
export function toRangePart(range: Range, values: unknown[]): Part {
  return toTests(clampRange(range, int64), values, 'int8', (value) => value);
}

/** The same for 32 bytes as a number, which no condition exceeds. */
export function toWordRangePart(range: Range, values: unknown[]): Part {
  return toTests(range, values, 'bytea', (value) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
}

function toTests(range: Range, values: unknown[], type: string, toValue: (value: bigint) => unknown): Part {
  const { from, to, equals, notEquals } = range;
  const tests: string[] = [];
  let code = '';
  const add = (letter: string, test: (parameter: string) => string, value: bigint | readonly bigint[]) => {
    const isList = typeof value !== 'bigint';
    values.push(isList ? value.map(toValue) : toValue(value));
    tests.push(test(`$${values.length}::${type}${isList ? '[]' : ''}`));
    code += letter;
  };
  if (from !== null) add('f', (p) => `>= ${p}`, from);
  if (to !== null) add('t', (p) => `<= ${p}`, to);
  if (equals.length === 1) add('e', (p) => `= ${p}`, equals[0]!);
  if (equals.length > 1) add('E', (p) => `= any(${p})`, equals);
  if (notEquals.length > 0) add('n', (p) => `<> all(${p})`, notEquals);
  return { code, sql: (column) => tests.map((test) => ` and ${column} ${test}`).join('') };
}

const literalLimits = [1, 10, 25, 50, 100, 250, 500, 1000];

/**
 * The limit as a literal in the text: with `limit $1` PostgreSQL plans for a tenth of all rows. A few sizes keep the
 * number of prepared texts small; callers cut off the surplus.
 */
export function toLiteralLimit(limit: number): number {
  return literalLimits.find((size) => size >= limit) ?? 2 ** Math.ceil(Math.log2(limit));
}

/**
 * SQL: an int8 parameter whose value PostgreSQL learns only when the statement runs. Partitions are left out then,
 * before they are opened. With the parameter itself a plan for its value has no other partitions and looks so much
 * cheaper than the generic one that, with some years of partitions, every run is planned anew.
 */
export function atRun(parameter: string): string {
  return `(${parameter}::int8 + 0 * pg_backend_pid())`;
}

/**
 * The version that is valid at some moment of `[from, to]` except those of `except`, and at none of `notContaining`;
 * ns. The moments of `except` are distinct and lie between the bounds.
 */
export type VersionFilter = {
  from: bigint;
  to: bigint;
  notContaining: readonly bigint[];
  except: readonly bigint[];
};

export const latestMoment = 9_223_372_036_854_775_807n;

/** Values in the order in which `versionConditions` numbers them. */
export function toVersionValues(filter: VersionFilter): unknown[] {
  return [filter.to, filter.from, filter.notContaining, filter.except];
}

/**
 * Conditions on `timestamp_range`, their parameters numbered from `first`. Fits the index on lower(timestamp_range).
 */
export function versionConditions(first: number): string {
  return ` and lower(timestamp_range) <= $${first}
    and (upper_inf(timestamp_range) or upper(timestamp_range) > $${first + 1})
    and not (timestamp_range @> any($${first + 2}::int8[]))
    and (upper_inf(timestamp_range) or upper(timestamp_range) - lower(timestamp_range) >
      (select count(*) from unnest($${first + 3}::int8[]) as moment where timestamp_range @> moment))`;
}

/** The newest row, out of a table and its history, that meets the condition. */
export function latestVersion<T extends TableName>(
  table: T,
  columns: readonly ColumnName<T>[],
  condition: string,
): string {
  const list = columns.join(', ');
  return `(select ${list} from (
    (select ${list} from ${table} where ${condition} order by lower(timestamp_range) desc limit 1)
    union all
    (select ${list} from ${table}_history where ${condition} order by lower(timestamp_range) desc limit 1)
  ) versions order by lower(timestamp_range) desc limit 1)`;
}
