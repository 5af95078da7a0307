// What blocks add to their days: counted as their rows were made, or, where that is not known, from the stored rows.
import type pg from 'pg';
import type { TimeSpan, WritableChanges } from './block-changes.ts';
import { addCounts, countTransactions, type DayCounts, dayNs } from './day-counts.ts';
import {
  addFromCounts,
  addFromCountsAndRead,
  addFromCountsAndTables,
  addFromRead,
  addFromTables,
  sources,
} from './day-statements.ts';

/** Rows with times in [`from`, `to`]; `created`: entities that may have been created then. */
type CountedSpan = TimeSpan & { created: readonly bigint[] };
/** Adds what they say to their days. */
export type Count = (client: pg.Client, span: CountedSpan) => Promise<void>;

/** Of rows that are being written. */
type Counted = CountedSpan & { counts: DayCounts; blocks: ReadonlyMap<bigint, BlockSums> };

export async function addCounted(
  client: pg.Client,
  { from, to, created: ids, counts, blocks }: Counted,
  { stored, isSpread }: { stored: StoredPayers; isSpread: boolean },
): Promise<void> {
  const perDay: object[] = [];
  const perType: object[] = [];
  const [payerDays, payers]: [bigint[], bigint[]] = [[], []];
  for (const [day, { types, payers: paid, ...sums }] of counts) {
    const { transactions, failed, fees, sent, consensusMs } = sums;
    perDay.push({ day: `${day}`, transactions, failed, fees: `${fees}`, sent, consensus_ms: `${consensusMs}` });
    for (const [type, ofType] of types) {
      perType.push({ day: `${day}`, type, transactions: ofType.transactions, fees: `${ofType.fees}` });
    }
    for (const payer of stored.add(day, paid)) {
      payerDays.push(day);
      payers.push(payer);
    }
  }
  const perBlock = [...blocks].map(([day, sums]) => ({
    ...{ day: `${day}`, blocks: sums.blocks, gas_used: `${sums.gasUsed}` },
  }));
  const values = [JSON.stringify(perDay), JSON.stringify(perType), JSON.stringify(perBlock), payerDays, payers];
  if (ids.length === 0) {
    await client.query({ name: 'add-counted-days', text: addFromCounts, values });
  } else if (isSpread) {
    const { rows } = await client.query({
      name: 'days-of-created',
      text: sources.created.text,
      values: [from, to, ids],
    });
    const text = addFromCountsAndRead;
    await client.query({ name: 'add-counted-days-and-read', text, values: [...values, JSON.stringify(rows)] });
  } else {
    const text = addFromCountsAndTables;
    await client.query({ name: 'add-counted-days-and-created', text, values: [...values, from, to, ids] });
  }
}

export async function countAtOnce(client: pg.Client, { from, to, created: ids }: CountedSpan): Promise<void> {
  await client.query({ name: 'add-day-totals', text: addFromTables, values: [from, to, ids] });
}

export async function countApart(client: pg.Client, { from, to, created: ids }: CountedSpan): Promise<void> {
  const read: string[] = [];
  for (const [name, { text }] of Object.entries(sources)) {
    const values = name === 'created' ? [from, to, ids] : [from, to];
    read.push(JSON.stringify((await client.query({ name: `days-of-${name}`, text, values })).rows));
  }
  await client.query({ name: 'add-read-day-totals', text: addFromRead, values: read });
}

/** Payers of a day that are in the table already, as far as they are known: most pay again and again. */
type StoredPayers = {
  /** Those that are to be stored, which count as stored from here on. */
  add(day: bigint, payers: Iterable<bigint>): bigint[];
  keepOnly(day: bigint): void;
  forget(): void;
};

/** Some megabytes. */
const maxStoredPayers = 50_000;

export function createStoredPayers(): StoredPayers {
  let byDay = new Map<bigint, Set<bigint>>();
  return {
    add(day, payers) {
      const known = byDay.get(day) ?? new Set();
      byDay.set(day, known);
      const added: bigint[] = [];
      for (const payer of payers) {
        if (known.has(payer)) continue;
        added.push(payer);
        if (known.size < maxStoredPayers) known.add(payer);
      }
      return added;
    },
    keepOnly(day) {
      const known = byDay.get(day);
      byDay = new Map(known ? [[day, known]] : []);
    },
    forget() {
      byDay = new Map();
    },
  };
}

/** null = of some transactions it is not known. */
export function countsOf({ parts }: WritableChanges): DayCounts | null {
  const counts: DayCounts = new Map();
  for (const part of parts) {
    if ('encoded' in part) {
      for (const { name, days } of part.encoded) {
        if (name !== 'transaction') continue;
        if (days === undefined) return null;
        addCounts(counts, days);
      }
    } else if ('transaction' in part) countTransactions(part.transaction ?? [], counts);
  }
  return counts;
}

/** Of a day: how many, and their gas. */
type BlockSums = { blocks: number; gasUsed: bigint };

export function blocksOf({ parts }: WritableChanges): Map<bigint, BlockSums> {
  const byDay = new Map<bigint, BlockSums>();
  for (const part of parts) {
    if (!('record_file' in part)) continue;
    for (const { consensus_end, gas_used } of part.record_file ?? []) {
      const day = consensus_end! / dayNs;
      const sums = byDay.get(day) ?? { blocks: 0, gasUsed: 0n };
      byDay.set(day, sums);
      sums.blocks += 1;
      if (gas_used != null && gas_used > 0n) sums.gasUsed += gas_used;
    }
  }
  return byDay;
}
