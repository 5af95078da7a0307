// Balances at a time: of the newest snapshot, with every transfer since.

import type { Database } from '../../../postgres/wire/database.ts';
import { isIndexedTransfer, unindexedFeeAccount, unindexedRewardAccount } from '../../../schema/unindexed-accounts.ts';
import { transfersOfEntity } from '../compact/entity-moments.ts';
import { expression, selectAll, selectQuery } from '../statement/columns.ts';

export type BalanceMoment = {
  /** Of the newest snapshot, ns; 0n = there is none. */
  snapshot: bigint;
  /** Inclusive, ns. */
  until: bigint;
};

/** A balance is in a snapshot if it changed, ns: 31 days hold a whole one. */
export const snapshotSpan = 2_678_400_000_000_000n;

const balanceOf = (id: string, isIndexed: boolean, db: Pick<Database, 'isCompact'>) => `coalesce((
    select balance from account_balance
    where account_id = ${id} and consensus_timestamp > $2::int8 and consensus_timestamp <= $3::int8
    order by consensus_timestamp desc limit 1
  ), 0)::int8 + coalesce((
    select sum(amount) from ${transfersOfEntity(db, 'crypto_transfer', {
      ...{ entity: id, from: '$3::int8', to: '$4::int8', isRow: isIndexed ? ` and ${isIndexedTransfer}` : '' },
    })} s where s.errata is distinct from 'DELETE'
  ), 0)::int8`;

const isUnindexed = (id: bigint): boolean => id === unindexedFeeAccount || id === unindexedRewardAccount;

/** By id. */
export async function selectPastBalances(
  db: Database,
  ids: readonly bigint[],
  moment: BalanceMoment,
): Promise<Map<bigint, bigint>> {
  const special = ids.filter(isUnindexed);
  const usual = special.length > 0 ? ids.filter((id) => !isUnindexed(id)) : ids;
  const [rows, others] = await Promise.all([select(db, usual, moment, true), select(db, special, moment, false)]);
  return new Map([...rows, ...others].map(({ id, balance }) => [id, balance]));
}

async function select(
  db: Database,
  ids: readonly bigint[],
  { snapshot, until }: BalanceMoment,
  isIndexed: boolean,
): Promise<{ id: bigint; balance: bigint }[]> {
  if (ids.length === 0) return [];
  const times = [snapshot - snapshotSpan, snapshot, until];
  const shape = `${isIndexed ? '' : 'unindexed'}${db.isCompact ? 'compact' : ''}`;
  if (db.isDistributed) {
    const select = expression('balance', 'int8', balanceOf('$1', isIndexed, db));
    return Promise.all(
      ids.map(async (id) => {
        const query = { name: 'select-past-balance', shape, select, values: [id, ...times] };
        return { id, balance: (await db.query(selectQuery(query)))[0]!.balance };
      }),
    );
  }
  return db.query(
    selectQuery({
      name: 'select-past-balances',
      shape,
      select: selectAll(
        expression('id', 'int8', 'a.id'),
        expression('balance', 'int8', balanceOf('a.id', isIndexed, db)),
      ),
      from: 'from unnest((select $1::int8[])) a (id)',
      values: [ids, ...times],
    }),
  );
}
