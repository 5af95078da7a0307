// The consensus time of a transaction, by its own hash or by its Ethereum hash.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns } from './statement/columns.ts';
import { toRangePart } from './statement/statement-parts.ts';

/** Length of the column `hash`; the rest is in `hash_suffix`. */
const prefixBytes = 32;

/** Of several transactions with the hash the first in this order. */
export type TimeOfHash = {
  /** Its first 32 bytes, or all 48. */
  hash: Buffer;
  timestamp: Range;
  order: 'asc' | 'desc';
};

/** SQL from `from` on; pushes its values. */
export function toTimePart({ hash, timestamp, order }: TimeOfHash, values: unknown[]): { code: string; from: string } {
  const prefix = `$${values.push(hash.subarray(0, prefixBytes))}`;
  const isWhole = hash.length > prefixBytes;
  const suffix = isWhole ? ` and hash_suffix = $${values.push(hash.subarray(prefixBytes))}` : '';
  const time = toRangePart(timestamp, values);
  return {
    code: `${order}-${isWhole ? 'whole' : 'prefix'}-${time.code}`,
    // Without the sum PostgreSQL may scan all transactions in order until one has the hash.
    from: `from transaction_hash where hash = ${prefix}${suffix}${time.sql('consensus_timestamp')}
order by consensus_timestamp + 0 ${order} limit 1`,
  };
}

/** ns */
export async function selectTransactionTime(db: Database, wanted: TimeOfHash): Promise<bigint | null> {
  const values: unknown[] = [];
  const { code: shape, from } = toTimePart(wanted, values);
  const select = columns('transaction_hash', ['consensus_timestamp']);
  const found = await selectOne(db, { name: 'select-transaction-time', shape, select, from, values });
  return found?.consensusTimestamp ?? null;
}
