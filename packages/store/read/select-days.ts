// What happened on days, summed over spans of several of them. Reads the table of days alone, a row a day at most.
import type { Database } from '../../postgres/wire/database.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/** Days since 1970: from `from` to before `until`, `step` of them in each span. */
export type DaySpans = { from: number; until: number; step: number };

const sum = <Name extends string>(name: Name) =>
  expression(name, 'int8', `least(sum(${name}), 9223372036854775807)::int8`);

/** `span`: its place, from 0 on. `days`: how many of its days have blocks. */
export type DaySums = RowOf<typeof daySums>;

const daySums = selectAll(
  expression('span', 'int8', '((day - $1::int4) / $2::int4)::int8'),
  expression('days', 'int8', 'count(*)'),
  sum('blocks'),
  sum('gas_used'),
  sum('transactions'),
  sum('failed'),
  sum('fees'),
  sum('active_accounts'),
  sum('sent'),
  sum('consensus_ms'),
  sum('new_accounts'),
  sum('new_contracts'),
  sum('new_tokens'),
  sum('new_topics'),
  expression(
    'gas_price',
    'int8',
    '(array_agg(gas_price order by day desc) filter (where gas_price > 0))[1]',
  ).nullable(),
);

/** Ascending; a span without a day is left out. */
export function selectDaySums(db: Database, { from, until, step }: DaySpans): Promise<DaySums[]> {
  return db.query(
    selectQuery({
      name: 'select-day-sums',
      select: daySums,
      from: 'from ledger_day where day >= $1 and day < $3 group by 1 order by 1',
      values: [from, step, until],
    }),
  );
}

export type TypeSums = RowOf<typeof typeSums>;

const typeSums = selectAll(
  expression('span', 'int8', '((day - $1::int4) / $2::int4)::int8'),
  columns('ledger_day_type', ['type']),
  sum('transactions'),
  sum('fees'),
);

/** By span and type. */
export function selectTypeSums(db: Database, { from, until, step }: DaySpans): Promise<TypeSums[]> {
  return db.query(
    selectQuery({
      name: 'select-day-type-sums',
      select: typeSums,
      from: 'from ledger_day_type where day >= $1 and day < $3 group by 1, type order by 1, type',
      values: [from, step, until],
    }),
  );
}

/** `filling`: days that are still to be counted from rows. */
export type KnownDays = RowOf<typeof knownDays>;

const knownDays = selectAll(
  expression('first', 'int4', '(select min(day) from ledger_day where blocks > 0)').nullable(),
  expression('last', 'int4', '(select max(day) from ledger_day where blocks > 0)').nullable(),
  expression('filling', 'int8', '(select count(*) from ledger_day_fill)'),
);

export async function selectKnownDays(db: Database): Promise<KnownDays> {
  const [found] = await db.query(selectQuery({ name: 'select-known-days', select: knownDays, from: '' }));
  return found!;
}
