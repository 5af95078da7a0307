// The consensus time of a transaction, by its own hash or by its Ethereum hash.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns } from './statement/columns.ts';
import { toRangePart } from './statement/statement-parts.ts';

/** Length of the column `hash`; the rest is in `hash_suffix`. */
const prefixBytes = 32;

/** ns; the first of several in this order. `hash`: its first 32 bytes, or all 48. */
export async function selectTransactionTime(
  db: Database,
  hash: Buffer,
  { timestamp, order }: { timestamp: Range; order: 'asc' | 'desc' },
): Promise<bigint | null> {
  const values: unknown[] = [hash.subarray(0, prefixBytes)];
  let suffix = '';
  if (hash.length > prefixBytes) {
    values.push(hash.subarray(prefixBytes));
    suffix = ' and hash_suffix = $2';
  }
  const time = toRangePart(timestamp, values);
  const found = await selectOne(db, {
    name: 'select-transaction-time',
    shape: `${order}-${suffix === '' ? 'prefix' : 'whole'}-${time.code}`,
    select: columns('transaction_hash', ['consensus_timestamp']),
    // Without the sum PostgreSQL may scan all transactions in order until one has the hash.
    from: `from transaction_hash where hash = $1${suffix}${time.sql('consensus_timestamp')}
order by consensus_timestamp + 0 ${order} limit 1`,
    values,
  });
  return found?.consensusTimestamp ?? null;
}
