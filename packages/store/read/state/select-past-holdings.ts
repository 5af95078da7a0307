// How much of a token an account held at a time: of the newest snapshot with every transfer since, or the number of its
// NFTs.
import type { Database } from '../../../postgres/wire/database.ts';
import { transfersOfEntity } from '../compact/entity-moments.ts';
import { expression, type Selection, selectAll, selectQuery } from '../statement/columns.ts';
import { type BalanceMoment, snapshotSpan } from './select-past-balances.ts';

export type Holding = { token: bigint; account: bigint };

const heldSql = (token: string, account: string, db: Pick<Database, 'isCompact'>) => `case
  when (select type from token where token_id = ${token}) = 'NON_FUNGIBLE_UNIQUE' then (
    select count(*) from (
      select 1 from nft where token_id = ${token} and account_id = ${account} and lower(timestamp_range) <= $5
        and deleted is not true
      union all
      select 1 from nft_history where token_id = ${token} and account_id = ${account} and timestamp_range @> $5::int8
        and deleted is not true
    ) owned
  )
  else coalesce((
    select balance from token_balance
    where token_id = ${token} and account_id = ${account} and consensus_timestamp > $3::int8 and consensus_timestamp <= $4::int8
    order by consensus_timestamp desc limit 1
  ), 0)::int8 + coalesce((
    select sum(amount) from ${transfersOfEntity(db, 'token_transfer', { entity: account, from: '$4::int8', to: '$5::int8' })} s
    where token_id = ${token}
  ), 0)::int8
end`;

/** In the order of the holdings. */
export async function selectPastHoldings(
  db: Database,
  holdings: readonly Holding[],
  { snapshot, until }: BalanceMoment,
): Promise<bigint[]> {
  if (holdings.length === 0) return [];
  const times = [snapshot - snapshotSpan, snapshot, until];
  const amount = (sql: string): Selection<{ amount: bigint }> => expression('amount', 'int8', sql);
  if (db.isDistributed) {
    const select = amount(heldSql('$1::int8', '$2::int8', db));
    return Promise.all(
      holdings.map(async ({ token, account }) => {
        const query = { name: 'select-past-holding', select, values: [token, account, ...times] };
        return (await db.query(selectQuery(query)))[0]!.amount;
      }),
    );
  }
  const rows = await db.query(
    selectQuery({
      name: 'select-past-holdings',
      shape: db.isCompact ? 'compact' : '',
      select: selectAll(expression('place', 'int8', 'a.place'), amount(heldSql('a.token', 'a.account', db))),
      from: 'from unnest((select $1::int8[]), (select $2::int8[])) with ordinality a (token, account, place) order by a.place',
      values: [holdings.map(({ token }) => token), holdings.map(({ account }) => account), ...times],
    }),
  );
  return rows.map((row) => row.amount);
}
