// What must be true of a ledger's database after each day: partitions, snapshots of balances, days, staking periods, and
// what a mirror dropped of its past. Each gives sentences of what is wrong.
import type pg from 'pg';
import { tables } from '../../../packages/schema/tables.ts';
import { momentTables } from '../../../packages/store/retention/kept-rows.ts';
import { selectLeafTables } from '../../../packages/store/retention/leaf-tables.ts';

const dayNs = 86_400_000_000_000n;
const minuteNs = 60_000_000_000n;

/** `2026-12-31` of days since 1970. */
export function dateOf(day: bigint): string {
  return new Date(Number(day) * 86_400_000).toISOString().slice(0, 10);
}

/** Each partitioned table has one partition for each year from that of its first row to that of the newest block. */
export async function checkPartitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ first: string; last: string }>(
    'select min(consensus_end) as first, max(consensus_end) as last from record_file',
  );
  const [first, last] = [yearOf(rows[0]!.first), yearOf(rows[0]!.last)];
  const expected = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const wrong: string[] = [];
  for (const [name, table] of Object.entries(tables)) {
    if (!('partitionBy' in table)) continue;
    const years = (await selectLeafTables(client, name)).map(({ bounds }) =>
      bounds ? yearOf(bounds.from) : 'default',
    );
    const missing = expected.filter((year) => !years.includes(year));
    if (missing.length > 0) wrong.push(`${name}: no partition for ${missing.join(', ')}`);
    if (years.includes('default')) wrong.push(`${name}: has a partition for all other times`);
  }
  return wrong;
}

function yearOf(timestamp: string | bigint): number {
  return new Date(Number(BigInt(timestamp) / 1_000_000n)).getUTCFullYear();
}

export type BlockTime = { end: bigint; transactions: number };

/**
 * When snapshots of balances are due: two minutes after the first block, then every fifteen minutes, at the next block
 * with transactions.
 */
export function snapshotTimes(blocks: readonly BlockTime[]): bigint[] {
  const times: bigint[] = [];
  let due: bigint | null = null;
  for (const { end, transactions } of blocks) {
    due ??= end + 2n * minuteNs;
    if (end < due || transactions === 0) continue;
    times.push(end);
    due = end + 15n * minuteNs;
  }
  return times;
}

/** The first snapshot of a month has a balance of every account that has one; so does no other need to. */
export async function checkSnapshots(client: pg.Client): Promise<string[]> {
  const { rows: blocks } = await client.query<{ end: string; transactions: number }>(
    'select consensus_end as end, count::int4 as transactions from record_file order by index',
  );
  const expected = snapshotTimes(blocks.map(({ end, transactions }) => ({ end: BigInt(end), transactions })));
  const { rows } = await client.query<{ at: string; accounts: number }>(
    `select f.consensus_timestamp as at, (select count(*)::int4 from account_balance b
  where b.consensus_timestamp = f.consensus_timestamp) as accounts
from account_balance_file f order by 1`,
  );
  const found = rows.map(({ at }) => BigInt(at));
  const missing = expected.filter((time) => !found.includes(time));
  const surplus = found.filter((time) => !expected.includes(time));
  const wrong = [
    ...missing.map((time) => `no snapshot of balances at ${timeOf(time)}`),
    ...surplus.map((time) => `a snapshot of balances at ${timeOf(time)}, where none is due`),
  ];
  let month = '';
  let most = 0;
  for (const { at, accounts } of rows) {
    const its = timeOf(BigInt(at)).slice(0, 7);
    // Accounts are seldom deleted: the first of a month has most of all that the month before had.
    if (its !== month && accounts < most) {
      wrong.push(`the first snapshot of ${its} has ${accounts} balances, one of the month before ${most}`);
    }
    month = its;
    most = Math.max(most, accounts);
  }
  return wrong;
}

const timeOf = (timestamp: bigint): string => new Date(Number(timestamp / 1_000_000n)).toISOString();

/** Counted days are those of the stored rows, of a mirror that keeps everything. */
export async function checkDays(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ day: string; counted: string | null; stored: string | null }>(
    `select coalesce(d.day, t.day)::text as day, d.transactions::text as counted, t.transactions::text as stored
from ledger_day d full join (
  select consensus_timestamp / $1::int8 as day, count(*) as transactions from transaction group by 1) t on t.day = d.day
where d.transactions is distinct from t.transactions`,
    [dayNs],
  );
  const { rows: payers } = await client.query<{ day: string }>(
    'select distinct day::text from ledger_day_payer where day < (select max(consensus_end) from record_file) / $1::int8',
    [dayNs],
  );
  return [
    ...rows.map(
      ({ day, counted, stored }) => `${dateOf(BigInt(day))}: ${counted} transactions counted, ${stored} stored`,
    ),
    ...payers.map(({ day }) => `${dateOf(BigInt(day))}: its payers are still listed`),
  ];
}

/** A staking period has ended with each day between the first and the newest block, and stakes are those of the last. */
export async function checkStaking(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ first: string; last: string }>(
    `select (min(consensus_start) / $1::int8)::text as first, (max(consensus_start) / $1::int8)::text as last from record_file`,
    [dayNs],
  );
  const [first, last] = [BigInt(rows[0]!.first), BigInt(rows[0]!.last)];
  const { rows: periods } = await client.query<{ day: string; nodes: number }>(
    'select epoch_day::text as day, count(*)::int4 as nodes from node_stake group by 1 order by 1',
  );
  const found = new Map(periods.map(({ day, nodes }) => [BigInt(day), nodes]));
  const wrong: string[] = [];
  // The period of a day ends with the first block of the next one.
  for (let day = first; day < last; day++) {
    if (!found.has(day)) wrong.push(`the staking period of ${dateOf(day)} has no stakes of nodes`);
  }
  const { rows: stakes } = await client.query<{ last: string | null; rewarded: number }>(
    'select max(end_stake_period)::text as last, count(*) filter (where pending_reward > 0)::int4 as rewarded from entity_stake',
  );
  if (stakes[0]!.last !== String(last - 1n)) {
    wrong.push(
      `stakes of accounts are of ${stakes[0]!.last && dateOf(BigInt(stakes[0]!.last))}, not ${dateOf(last - 1n)}`,
    );
  }
  return wrong;
}

export type KeptPast = { small: pg.Client; full: pg.Client; keepNs: bigint };

/** Dropped is what is older than what is kept, and up to a twentieth of that more is there; of the rest, every row is. */
export async function checkRetention({ small, full, keepNs }: KeptPast): Promise<string[]> {
  const { rows } = await small.query<{ kept: string | null; oldest: string; newest: string }>(
    `select (select kept_from from mirror_extent) as kept, min(consensus_end) as oldest, max(consensus_end) as newest
from record_file`,
  );
  const [kept, newest] = [rows[0]!.kept, BigInt(rows[0]!.newest)];
  if (kept === null) return ['nothing was dropped'];
  const from = BigInt(kept);
  const wrong: string[] = [];
  if (from > newest - keepNs)
    wrong.push(`dropped up to ${timeOf(from)}, which is younger than ${keepNs / minuteNs} minutes`);
  const oldest = BigInt(rows[0]!.oldest);
  // Dropped is with a block, and what is due with the next one still there.
  if (oldest < newest - keepNs - keepNs / 20n - 60n * minuteNs) {
    wrong.push(`the block of ${timeOf(oldest)} is there, though the newest is of ${timeOf(newest)}`);
  }
  const until = newest;
  for (const [table, column] of momentTables) {
    const count = async (client: pg.Client, condition: string): Promise<number> => {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int4 as count from ${table} where ${column} ${condition} and ${column} <= ${until}`,
      );
      return rows[0]!.count;
    };
    const older = await count(small, `< ${from}`);
    const [found, expected] = [await count(small, `>= ${from}`), await count(full, `>= ${from}`)];
    if (older > 0) wrong.push(`${table}: ${older} rows are older than ${timeOf(from)}`);
    if (found !== expected)
      wrong.push(`${table}: ${found} rows since ${timeOf(from)}, the full mirror has ${expected}`);
  }
  return wrong;
}
