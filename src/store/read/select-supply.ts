// What a set of accounts holds together: now, or by the newest balance of each within a span of time.
import type { Database } from '../wire/database.ts';
import { expression, type RowOf, selectAll, selectQuery } from './columns.ts';

/** `timestamp`: of the newest balance; null where there is none. */
export type SupplyRow = RowOf<typeof currentSupply>;

export async function selectCurrentSupply(db: Database, accountIds: readonly bigint[]): Promise<SupplyRow> {
  const query = selectQuery({
    name: 'select-current-supply',
    select: currentSupply,
    from: 'from entity where id = any($1::int8[])',
    values: [accountIds],
  });
  return (await db.query(query))[0]!;
}

/** `from`, `to`: inclusive, ns. */
export async function selectSupplyWithin(
  db: Database,
  accountIds: readonly bigint[],
  { from, to }: { from: bigint; to: bigint },
): Promise<SupplyRow> {
  const query = selectQuery({
    name: 'select-supply-within',
    select: supplyWithin,
    from: `from unnest($1::int8[]) a (id)
cross join lateral (
  select balance, consensus_timestamp from account_balance
  where account_id = a.id and consensus_timestamp >= $2 and consensus_timestamp <= $3
  order by consensus_timestamp desc limit 1
) b`,
    values: [accountIds, from, to],
  });
  return (await db.query(query))[0]!;
}

const currentSupply = toSupply('balance', 'balance_timestamp');
const supplyWithin = toSupply('b.balance', 'b.consensus_timestamp');

function toSupply(balance: string, timestamp: string) {
  return selectAll(
    expression('balance', 'int8', `coalesce(sum(${balance}), 0)::int8`),
    expression('timestamp', 'int8', `max(${timestamp})`).nullable(),
  );
}
