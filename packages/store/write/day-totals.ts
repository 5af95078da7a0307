// What happened on each day (packages/schema/day-tables.ts). In the transaction that writes blocks, one statement adds
// what was counted of their rows. Another counts a span of stored rows, a part at a time, for days whose rows were
// written by an earlier version, came with an export, or were replaced. A killed import continues where it was.
import type pg from 'pg';
import { quoteName } from '../../schema/sql-names.ts';
import {
  addCounted,
  blocksOf,
  type Count,
  countApart,
  countAtOnce,
  countsOf,
  createStoredPayers,
} from './add-day-counts.ts';
import type { TimeSpan, WritableChanges } from './block-changes.ts';
import { dayNs } from './day-counts.ts';
import { countCreated, created, fromRows } from './day-statements.ts';
import type { ScanProgress } from './ledger-scans.ts';

export type DayTotals = {
  /** Within the transaction that wrote these blocks, after all of their rows. */
  add(client: pg.Client, changes: WritableChanges, blocks: TimeSpan): Promise<void>;
  /** Whether there may be days to count from stored rows. */
  isFilling(): boolean;
  /** Counts the next part of the oldest of them. */
  fill(client: pg.Client): Promise<ScanProgress>;
  /** After a rollback. */
  forget(): void;
};

/** Tinybar for a gas at a consensus timestamp (ns) before the newest block; null = the network said none. */
export type PriceOfGas = (timestamp: bigint) => Promise<bigint | null>;

export type DayTotalsOptions = {
  /** Transactions that are counted at a time. */
  rowsOfPart: number;
  /** null = days get no price. */
  priceOfGas: PriceOfGas | null;
  /** Over several machines: their rows are read first, as Citus refuses writing expressions beside them. */
  isSpread: boolean;
};

export function createDayTotals({ rowsOfPart, priceOfGas, isSpread }: DayTotalsOptions): DayTotals {
  const count = isSpread ? countApart : countAtOnce;
  let currentDay: bigint | null = null;
  // null = not known yet
  let isFilling: boolean | null = null;
  const stored = createStoredPayers();
  return {
    async add(client, changes, { from, to }) {
      const span = { from, to, created: findCreated(changes, from) };
      const counts = countsOf(changes);
      const day = to / dayNs;
      if (counts === null) await count(client, span);
      else await addCounted(client, { ...span, counts, blocks: blocksOf(changes) }, { stored, isSpread });
      stored.keepOnly(day);
      if (day === currentDay) return;
      await client.query({ name: 'drop-day-payers', text: dropPayers, values: [day] });
      currentDay = day;
      // The day before has ended.
      isFilling = null;
    },
    isFilling: () => isFilling !== false,
    async fill(client) {
      // Those of a day that is begun again are taken away.
      stored.forget();
      const filled = await fillPart(client, rowsOfPart, count);
      const priced = filled === 'none' && priceOfGas ? await fillPrices(client, priceOfGas) : 0;
      isFilling = filled !== 'none' || priced === pricesAtATime;
      return { hasEnded: filled === 'day' || priced > 0, hasMore: isFilling };
    },
    forget() {
      currentDay = null;
      isFilling = null;
      stored.forget();
    },
  };
}

/**
 * Days of blocks whose rows were replaced are counted again, except where the past was dropped: these stay. In the same
 * transaction.
 */
export async function countDaysAgain(client: pg.Client, { from, to }: TimeSpan): Promise<void> {
  await client.query({
    name: 'count-days-again',
    text: `insert into ledger_day_fill (day) select d from generate_series($1::int8 / ${dayNs}, $2::int8 / ${dayNs}) d
where d * ${dayNs} >= coalesce((select kept_from from mirror_extent), 0)
on conflict (day) do update set position = null, until = null`,
    values: [from, to],
  });
}

/** Of a database that was filled in another way than by blocks, from an export that has no days or only some rows. */
export async function settleLoadedDays(client: pg.Client): Promise<void> {
  await client.query(`delete from ledger_day_fill
where day * ${dayNs} < (select kept_from from mirror_extent)`);
  const { rows } = await client.query<{ found: boolean }>(
    'select exists (select from ledger_day) or exists (select from ledger_day_fill) as found',
  );
  if (rows[0]!.found) return;
  await client.query(`insert into ledger_day_fill (day)
select generate_series(greatest(min(consensus_end), (select kept_from from mirror_extent)) / ${dayNs}, max(consensus_end) / ${dayNs})
from record_file having count(*) > 0
on conflict do nothing`);
  await client.query(`insert into ledger_day (day, ${Object.keys(created).join(', ')})
select e.created_timestamp / ${dayNs}, ${countCreated('e.type')}
from entity e, (select min(consensus_start) as first, max(consensus_end) as last from record_file) r
where e.created_timestamp between r.first and r.last group by 1`);
}

/** Entities that these parts may create: `from` is the start of the first block. */
function findCreated({ parts }: WritableChanges, from: bigint): bigint[] {
  const ids = new Set<bigint>();
  for (const part of parts) {
    if (!('entity' in part)) continue;
    for (const { id, created_timestamp: at } of part.entity ?? []) if (at != null && at >= from) ids.add(id!);
  }
  return [...ids];
}

/** Of days before $1 that are not being filled. */
const dropPayers = `delete from ledger_day_payer where day < $1
and day not in (select day from ledger_day_fill where position is not null)`;

type Filled = { day: string; position: string | null; until: string | null };

/** `day`: one is filled; `none`: there is none to fill. */
async function fillPart(client: pg.Client, rowsOfPart: number, count: Count): Promise<'part' | 'day' | 'none'> {
  const { rows } = await client.query<Filled>({
    name: 'oldest-day-to-fill',
    text: 'select day::text, position, until from ledger_day_fill order by day limit 1',
  });
  if (!rows[0]) return 'none';
  const day = BigInt(rows[0].day);
  const { position, until } = rows[0].until === null ? await beginDay(client, day) : toBounds(rows[0]);
  const bound = await client.query<{ at: string }>({
    name: 'bound-of-day-part',
    text: `select consensus_timestamp as at from transaction where consensus_timestamp > $1 and consensus_timestamp <= $2
order by consensus_timestamp offset $3 limit 1`,
    values: [position, until, rowsOfPart - 1],
  });
  const to = bound.rows[0] ? BigInt(bound.rows[0].at) : until;
  if (to > position) await count(client, { from: position + 1n, to, created: [] });
  if (to < until) {
    const text = 'update ledger_day_fill set position = $2 where day = $1';
    await client.query({ name: 'advance-day', text, values: [day, to] });
    return 'part';
  }
  await client.query({ name: 'end-day', text: 'delete from ledger_day_fill where day = $1', values: [day] });
  if (await isOver(client, day)) {
    const drop = 'delete from ledger_day_payer where day = $1';
    await client.query({ name: 'drop-payers-of-day', text: drop, values: [day] });
  }
  return 'day';
}

type Bounds = { position: bigint; until: bigint };

const toBounds = ({ position, until }: Filled): Bounds => ({ position: BigInt(position!), until: BigInt(until!) });

/** Empties the day; rows up to the newest block are counted, later blocks add themselves. */
async function beginDay(client: pg.Client, day: bigint): Promise<Bounds> {
  const { rows } = await client.query<{ newest: string | null }>({
    name: 'newest-block-end',
    text: 'select max(consensus_end) as newest from record_file',
  });
  const start = day * dayNs - 1n;
  const newest = rows[0]!.newest === null ? start : BigInt(rows[0]!.newest);
  const end = start + dayNs;
  const until = newest < end ? newest : end;
  for (const table of ['ledger_day_type', 'ledger_day_payer']) {
    const text = `delete from ${quoteName(table)} where day = $1`;
    await client.query({ name: `empty-${table}`, text, values: [day] });
  }
  await client.query({ name: 'empty-day', text: emptyDay, values: [day] });
  const text = 'update ledger_day_fill set position = $2, until = $3 where day = $1';
  await client.query({ name: 'begin-day', text, values: [day, start, until] });
  return { position: start, until };
}

const emptyDay = `update ledger_day set ${fromRows.map((column) => `${column} = 0`).join(', ')} where day = $1`;

/** A block of a later day is stored. */
async function isOver(client: pg.Client, day: bigint): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'block-after-day',
    text: 'select from record_file where consensus_end >= $1 limit 1',
    values: [(day + 1n) * dayNs],
  });
  return rowCount === 1;
}

const pricesAtATime = 20;

/** Of days that are over; resolves with how many. */
async function fillPrices(client: pg.Client, priceOfGas: PriceOfGas): Promise<number> {
  const { rows } = await client.query<{ day: string }>({
    name: 'days-without-gas-price',
    text: `select day::text from ledger_day
where gas_price is null and day < (select max(consensus_end) from record_file) / ${dayNs} order by day limit $1`,
    values: [pricesAtATime],
  });
  for (const { day } of rows) {
    const price = await priceOfGas((BigInt(day) + 1n) * dayNs - 1n);
    const text = 'update ledger_day set gas_price = $2 where day = $1';
    await client.query({ name: 'set-gas-price', text, values: [day, price ?? 0n] });
  }
  return rows.length;
}
