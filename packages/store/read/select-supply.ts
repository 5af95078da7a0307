// The total balance of accounts in some ranges: now, or by each account's newest balance within a time span. They are
// system accounts, hundreds and always the same: their ranges are literals in the text, for one plan that fits them.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

/** `timestamp`: of the newest balance; null without one. */
export type SupplyRow = RowOf<typeof currentSupply>;

/** Ids, both inclusive. */
export type AccountRange = { first: bigint; last: bigint };

export async function selectCurrentSupply(db: Database, ranges: readonly AccountRange[]): Promise<SupplyRow> {
  const isAny = ranges.map(({ first, last }) => `id between ${first} and ${last}`).join(' or ');
  return (await selectOne(db, {
    name: 'select-current-supply',
    shape: toShape(ranges),
    select: currentSupply,
    from: `from entity where ${isAny}`,
    values: [],
  }))!;
}

/** `from`, `to`: inclusive, ns. */
export async function selectSupplyWithin(
  db: Database,
  ranges: readonly AccountRange[],
  { from, to }: { from: bigint; to: bigint },
): Promise<SupplyRow> {
  const literals = ranges.map(({ first, last }) => `(${first}::int8, ${last}::int8)`).join(', ');
  return (await selectOne(db, {
    name: 'select-supply-within',
    shape: toShape(ranges),
    select: supplyWithin,
    from: `from (values ${literals}) r (first, last)
cross join lateral generate_series(r.first, r.last) a (id)
cross join lateral (
  select balance, consensus_timestamp from account_balance
  where account_id = a.id and consensus_timestamp >= $1 and consensus_timestamp <= $2
  order by consensus_timestamp desc limit 1
) b`,
    values: [from, to],
  }))!;
}

const toShape = (ranges: readonly AccountRange[]): string =>
  ranges.map(({ first, last }) => `${first}+${last - first}`).join('.');

const currentSupply = toSupply('balance', 'balance_timestamp');
const supplyWithin = toSupply('b.balance', 'b.consensus_timestamp');

function toSupply(balance: string, timestamp: string) {
  return selectAll(
    expression('balance', 'int8', `coalesce(sum(${balance}), 0)::int8`),
    expression('timestamp', 'int8', `max(${timestamp})`).nullable(),
  );
}
