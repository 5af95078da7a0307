// The rows of one id in a partitioned table, by one key, along the index of id and key. A prepared statement is planned for an
// id with as many rows as the average. If that is less than a page, PostgreSQL reads all of them and sorts, as soon as one
// partition is so small that reading it from end to end costs less than an index: a page of an account with 18,894 rewards took
// 3.6 ms, beside an empty partition of the next year. As bounds on both columns the same condition makes it expect a ninth of
// the table, whatever its statistics, so that it follows the index.
import { clampRange, type Range } from '../../../kit/range.ts';
import type { Database } from '../../wire/database.ts';
import { int64 } from './statement-parts.ts';

type Owned = {
  owner: string;
  /** SQL: its value. */
  id?: string;
  column: string;
  range: Range;
};

/**
 * `sql`: ` where …` for the owner, `values[0]` by default; pushes the bounds, which do not replace the conditions on the key: those show
 * which partitions to read. `isOrdered`: whether the order has to begin with the owner.
 */
export function toOwnerPart(
  { isDistributed }: Database,
  { owner, id = '$1::int8', column, range }: Owned,
  values: unknown[],
) {
  // Exact keys are few. Citus finds the machine by an exact owner.
  if (isDistributed || range.equals.length > 0) return { code: '', sql: ` where ${owner} = ${id}`, isOrdered: false };
  const { from, to } = clampRange(range, int64);
  const pair = `(${owner}, ${column})`;
  const bound = (value: bigint): string => `(${id}, $${values.push(value)}::int8)`;
  const sql = ` where ${pair} >= ${bound(from ?? int64.min)} and ${pair} <= ${bound(to ?? int64.max)}`;
  return { code: 'o', sql, isOrdered: true };
}
