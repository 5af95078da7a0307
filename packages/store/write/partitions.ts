// Time partitions of the big tables, made when the first row of a year arrives. A year, not a month: every partition
// costs each query without a time 10–20 µs, and a network's whole history is eight of them.
import type pg from 'pg';
import { storedTable } from '../../schema/compact-form.ts';
import { quoteName } from '../../schema/sql-names.ts';
import type { Table } from '../../schema/table.ts';
import { tables } from '../../schema/tables.ts';

export type Partitions = {
  /**
   * Makes the partitions for these times (ns, inclusive), in a separate transaction; the caller rolls a failed one
   * back.
   */
  ensure(client: pg.Client, from: bigint, to: bigint): Promise<void>;
};

/** `isCompact`: of a database in the compact form. */
export function createPartitions(isCompact = false): Partitions {
  const ready = new Set<number>();
  return {
    async ensure(client, from, to) {
      for (let year = yearOf(from); year <= yearOf(to); year++) {
        if (ready.has(year)) continue;
        await createYear(client, year, isCompact);
        ready.add(year);
      }
    },
  };
}

async function createYear(client: pg.Client, year: number, isCompact: boolean): Promise<void> {
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtext('ledger-mirror partitions'))`);
  for (const name of partitionedTables) {
    const partition = partitionName(name, year);
    const whole = quoteName(storedTable(name, isCompact));
    const { rows } = await client.query('select to_regclass($1) is not null as found', [quoteName(partition)]);
    if (rows[0].found) continue;
    // Made separately and attached: `create table … partition of` would wait for every reader of the big table.
    await client.query(`create table ${quoteName(partition)} (like ${whole} including all)`);
    await client.query(
      `alter table ${whole} attach partition ${quoteName(partition)} for values from (${startOf(year)}) to (${startOf(year + 1)})`,
    );
  }
  await client.query('commit');
}

export function partitionName(table: string, year: number): string {
  return `${table}_p${year}`;
}

const partitionedTables = Object.entries(tables)
  .filter(([, table]) => (table as Table).partitionBy !== undefined)
  .map(([name]) => name);

function yearOf(timestamp: bigint): number {
  return new Date(Number(timestamp / 1_000_000n)).getUTCFullYear();
}

/** ns since the epoch. */
function startOf(year: number): bigint {
  return BigInt(Date.UTC(year, 0, 1)) * 1_000_000n;
}
