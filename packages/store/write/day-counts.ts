// What rows of transactions say of their days, counted while they are objects: to read them again from the table takes
// PostgreSQL longer than all else that days cost.
import { successCodes } from '../../protocol/hapi/response-codes.ts';
import type { AnyRow } from './row-encoder.ts';

export const dayNs = 86_400_000_000_000n;

/** Of transactions of one day. Sums may be larger than int8. */
type DaySums = {
  transactions: number;
  failed: number;
  fees: bigint;
  /** Sent by a client, and the milliseconds from their valid start to consensus. */
  sent: number;
  consensusMs: bigint;
  /** Transactions and fees by type. */
  types: Map<number, { transactions: number; fees: bigint }>;
  payers: Set<bigint>;
};

/** By day since 1970. */
export type DayCounts = Map<bigint, DaySums>;

/** Rows of `transaction`. */
export function countTransactions(rows: readonly AnyRow[], counts: DayCounts = new Map()): DayCounts {
  let [start, end] = [0n, 0n];
  let sums: DaySums | null = null;
  for (const row of rows) {
    const at = row.consensus_timestamp as bigint;
    if (sums === null || at < start || at >= end) {
      const day = at / dayNs;
      [start, end] = [day * dayNs, (day + 1n) * dayNs];
      sums = sumsOf(counts, day);
    }
    addRow(sums, row, at);
  }
  return counts;
}

/** Changes `counts`. */
export function addCounts(counts: DayCounts, more: DayCounts): void {
  for (const [day, { types, payers, ...sums }] of more) {
    const all = sumsOf(counts, day);
    all.transactions += sums.transactions;
    all.failed += sums.failed;
    all.fees += sums.fees;
    all.sent += sums.sent;
    all.consensusMs += sums.consensusMs;
    for (const [type, { transactions, fees }] of types) addType(all, type, transactions, fees);
    for (const payer of payers) all.payers.add(payer);
  }
}

function sumsOf(counts: DayCounts, day: bigint): DaySums {
  const known = counts.get(day);
  if (known) return known;
  const sums: DaySums = {
    ...{ transactions: 0, failed: 0, fees: 0n, sent: 0, consensusMs: 0n },
    ...{ types: new Map(), payers: new Set<bigint>() },
  };
  counts.set(day, sums);
  return sums;
}

function addRow(sums: DaySums, row: AnyRow, at: bigint): void {
  const fee = (row.charged_tx_fee as bigint | null | undefined) ?? 0n;
  sums.transactions += 1;
  sums.fees += fee;
  if (!succeeded.has(row.result as number)) sums.failed += 1;
  sums.payers.add(row.payer_account_id as bigint);
  addType(sums, row.type as number, 1, fee);
  if (!isSent(row, at)) return;
  sums.sent += 1;
  sums.consensusMs += (at - (row.valid_start_ns as bigint)) / 1_000_000n;
}

const succeeded: ReadonlySet<number> = new Set(successCodes);

/** Ns. A client that sends a transaction chooses its valid start, which the network lets be three minutes old. */
export const maxSentAge = 3_600_000_000_000n;

function isSent(row: AnyRow, at: bigint): boolean {
  if (row.nonce || row.scheduled || (row.parent_consensus_timestamp ?? null) !== null) return false;
  const age = at - (row.valid_start_ns as bigint);
  return age >= 0n && age <= maxSentAge;
}

function addType({ types }: DaySums, type: number, transactions: number, fees: bigint): void {
  const known = types.get(type);
  if (known) {
    known.transactions += transactions;
    known.fees += fees;
  } else types.set(type, { transactions, fees });
}
