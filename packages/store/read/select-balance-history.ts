// How the hbar balance of one account changed: its newest transfers, and its balance in snapshots before.

import type { Database } from '../../postgres/wire/database.ts';
import { isIndexedTransfer, unindexedFeeAccount, unindexedRewardAccount } from '../../schema/unindexed-accounts.ts';
import { newestTransfersOfEntity } from './compact/entity-moments.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, selectAll, selectQuery } from './statement/columns.ts';
import { toLiteralLimit } from './statement/statement-parts.ts';

/** No index has transfers of these accounts. */
export function hasTransferIndex(accountId: bigint): boolean {
  return accountId !== unindexedFeeAccount && accountId !== unindexedRewardAccount;
}

/** The current balance of an entity, tinybar; null = unknown. */
export async function selectCurrentBalance(db: Database, accountId: bigint): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-current-balance',
    select: columns('entity', ['balance']),
    from: 'from entity where id = $1',
    values: [accountId],
  });
  return found?.balance ?? null;
}

/** Newest first; several of one moment are several rows. `from`: inclusive, ns; null = from the beginning. */
export function selectNewestTransfers(
  db: Database,
  { accountId, from, limit }: { accountId: bigint; from: bigint | null; limit: number },
) {
  const values = from === null ? [accountId] : [accountId, from];
  const literalLimit = toLiteralLimit(limit);
  const query = selectQuery({
    name: 'select-newest-transfers',
    shape: `${from === null ? '' : 'f'}${literalLimit}${db.isCompact ? 'c' : ''}`,
    select: columns('crypto_transfer', ['consensus_timestamp', 'amount'], 's'),
    from: `from ${newestTransfersOfEntity(db, {
      ...{ entity: '$1::int8', from: from === null ? null : '$2::int8', limit: literalLimit },
      isRow: ` and ${isIndexedTransfer}`,
    })} s`,
    values,
  });
  return db.query(query);
}

/** When the account was first in a snapshot, ns; null = in none. */
export async function selectFirstSnapshot(db: Database, accountId: bigint): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-first-snapshot',
    select: columns('account_balance', ['consensus_timestamp']),
    from: 'from account_balance where account_id = $1 order by account_id, consensus_timestamp limit 1',
    values: [accountId],
  });
  return found?.consensusTimestamp ?? null;
}

/**
 * The newest balance in a snapshot at or before each moment, and at most `within` (ns) before it. A moment without one
 * has null. In the order of the moments.
 */
export function selectSnapshotBalances(
  db: Database,
  { accountId, moments, within }: { accountId: bigint; moments: readonly bigint[]; within: bigint },
) {
  const query = selectQuery({
    name: 'select-snapshot-balances',
    select: selectAll(
      expression('moment', 'int8', 'm.at'),
      columns('account_balance', { timestamp: 'consensus_timestamp', balance: 'balance' }, 'b').optional(),
    ),
    from: `from unnest((select $2::int8[])) m (at)
left join lateral (
  select consensus_timestamp, balance from account_balance
  where account_id = $1 and consensus_timestamp <= m.at and consensus_timestamp > m.at - $3::int8
  order by account_id desc, consensus_timestamp desc limit 1
) b on true
order by m.at`,
    values: [accountId, moments, within],
  });
  return db.query(query);
}
