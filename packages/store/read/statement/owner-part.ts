// The rows of one id by a key, along the index of id and key. As bounds on both columns the same condition makes
// PostgreSQL expect a ninth of the table, whatever its statistics and whatever the id, so that it follows that index
// and plans the statement once. Two kinds of statements need it.
//
// In a partitioned table a prepared statement is planned for an id with as many rows as the average. If that is less
// than a page, PostgreSQL reads all of them and sorts, as soon as one partition is so small that reading it from end to
// end costs less than an
// index: a page of an account with 18,894 rewards took 3.6 ms, beside an empty partition of the next year.
//
// Where another index has the same columns in another order, that one gives the rows of an equal id in the order of the
// key too. From PostgreSQL 18 on it skips from key to key there, and costs the planner the same: balances of 25
// accounts as of a time took 343 ms of processor along the index that begins with the token, 1.3 ms along this one (1.2
// million rows). By owner and key only one is in order.

import { clampRange, type Range } from '../../../kit/range.ts';
import type { Database } from '../../../postgres/wire/database.ts';
import { int64 } from './statement-parts.ts';

type Owned = {
  owner: string;
  /** SQL: its value. */
  id?: string;
  column: string;
  range: Range;
};

/** SQL: the rows of the owner whatever their key. They have to be ordered by owner and key. */
export function alongOwner(
  { isDistributed }: Pick<Database, 'isDistributed'>,
  { owner, id, column }: Required<Omit<Owned, 'range'>>,
): string {
  if (isDistributed) return `${owner} = ${id}`;
  const pair = `(${owner}, ${column})`;
  return `${pair} >= (${id}, ${-int64.max}) and ${pair} <= (${id}, ${int64.max})`;
}

/**
 * `sql`: ` where …` for the owner, `values[0]` by default; pushes the bounds, which do not replace the conditions on
 * the key: those show which partitions to read. `isOrdered`: whether the order has to begin with the owner.
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
