// Balance snapshots: the first of a month holds every account, later ones only those that changed, and the treasury is
// in each of them.
import type { Database } from '../wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, selectQuery } from './statement/columns.ts';

/** The newest snapshot between two times, both inclusive, ns; the treasury has a row in each. */
export type SnapshotSearch = { treasuryId: bigint; from: bigint; to: bigint; notEquals: readonly bigint[] };

/** Its consensus timestamp. */
export async function selectSnapshotTimestamp(db: Database, search: SnapshotSearch): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-snapshot-timestamp',
    select: columns('account_balance', ['consensus_timestamp']),
    from: `from account_balance
where account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3 and consensus_timestamp <> all($4)
order by consensus_timestamp desc limit 1`,
    values: [search.treasuryId, search.from, search.to, search.notEquals],
  });
  return found?.consensusTimestamp ?? null;
}

/** Both inclusive; ns. */
export type Snapshot = { from: bigint; at: bigint };

const withinSnapshot = 'account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3';

/** The account's latest balance in the snapshots; null when it is in none of them. */
export async function selectSnapshotBalance(
  db: Database,
  accountId: bigint,
  snapshot: Snapshot,
): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-snapshot-balance',
    select: columns('account_balance', ['balance']),
    from: `from account_balance where ${withinSnapshot} order by consensus_timestamp desc limit 1`,
    values: [accountId, snapshot.from, snapshot.at],
  });
  return found?.balance ?? null;
}

/** The account's latest balance of each token in the snapshots, ascending by token, at most `limit`. */
export function selectSnapshotTokens(db: Database, accountId: bigint, snapshot: Snapshot, limit: number) {
  return db.query(
    selectQuery({
      name: 'select-snapshot-tokens',
      shape: `${limit}`,
      distinctOn: 'token_id',
      select: columns('token_balance', ['token_id', 'balance']),
      from: `from token_balance where ${withinSnapshot} order by token_id, consensus_timestamp desc limit ${limit}`,
      values: [accountId, snapshot.from, snapshot.at],
    }),
  );
}
