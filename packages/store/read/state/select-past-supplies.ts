// How much there was of tokens at a time, which no version of a token says: what accounts held in the newest snapshot
// with every transfer since, or the NFTs that were there.
import type { Database } from '../../../postgres/wire/database.ts';
import { expression, selectAll, selectQuery } from '../statement/columns.ts';
import { type BalanceMoment, snapshotSpan } from './select-past-balances.ts';

const supply = (amount: string) =>
  selectAll(expression('token', 'int8', 'token_id'), expression('amount', 'int8', amount));

/** By id; a token of which nothing was there has none. */
export async function selectPastSupplies(
  db: Database,
  tokens: { fungible: readonly bigint[]; nonFungible: readonly bigint[] },
  { snapshot, until }: BalanceMoment,
): Promise<Map<bigint, bigint>> {
  const { fungible, nonFungible } = tokens;
  const rows = await Promise.all([
    fungible.length === 0
      ? []
      : db.query(
          selectQuery({
            name: 'select-past-supplies-in-snapshot',
            select: supply('sum(balance)::int8'),
            from: `from (
  select distinct on (token_id, account_id) token_id, balance from token_balance
  where token_id = any($1::int8[]) and consensus_timestamp > $2 and consensus_timestamp <= $3
  order by token_id, account_id, consensus_timestamp desc
) held group by token_id`,
            values: [fungible, snapshot - snapshotSpan, snapshot],
          }),
        ),
    fungible.length === 0
      ? []
      : db.query(
          selectQuery({
            name: 'select-past-supplies-since',
            select: supply('sum(amount)::int8'),
            from: `from token_transfer
where token_id = any($1::int8[]) and consensus_timestamp > $2 and consensus_timestamp <= $3 group by token_id`,
            values: [fungible, snapshot, until],
          }),
        ),
    nonFungible.length === 0
      ? []
      : db.query(
          selectQuery({
            name: 'select-past-serials',
            select: supply('count(*)'),
            from: `from nft where token_id = any($1::int8[]) and created_timestamp <= $2
  and not (deleted is true and lower(timestamp_range) <= $2) group by token_id`,
            values: [nonFungible, until],
          }),
        ),
  ]);
  const supplies = new Map<bigint, bigint>();
  for (const { token, amount } of rows.flat()) supplies.set(token, (supplies.get(token) ?? 0n) + amount);
  return supplies;
}
