// Balance snapshots: the first of a month holds every account, later ones only those that changed, and the treasury is
// in each of them.
import type { Database } from '../wire/database.ts';
import { columns, selectQuery } from './columns.ts';
import type { TokenBalance } from './token-balances.ts';

export type SnapshotSpan = { from: bigint; to: bigint; notEquals: readonly bigint[] };

/** Consensus timestamp of the newest snapshot in the span, found by the treasury's row. */
export async function selectSnapshotTimestamp(
  db: Database,
  treasuryId: bigint,
  span: SnapshotSpan,
): Promise<bigint | null> {
  const query = selectQuery({
    name: 'select-snapshot-timestamp',
    select: columns('account_balance', ['consensus_timestamp']),
    from: `from account_balance
where account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3 and consensus_timestamp <> all($4)
order by consensus_timestamp desc limit 1`,
    values: [treasuryId, span.from, span.to, span.notEquals],
  });
  return (await db.query(query))[0]?.consensusTimestamp ?? null;
}

/** The account's latest balance within [from, to]; null when it is in none of these snapshots. */
export async function selectSnapshotBalance(
  db: Database,
  accountId: bigint,
  from: bigint,
  to: bigint,
): Promise<bigint | null> {
  const query = selectQuery({
    name: 'select-snapshot-balance',
    select: columns('account_balance', ['balance']),
    from: `from account_balance
where account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3
order by consensus_timestamp desc limit 1`,
    values: [accountId, from, to],
  });
  return (await db.query(query))[0]?.balance ?? null;
}

/** The account's latest balance of each token within [from, to], ascending by token, at most `limit`. */
export function selectSnapshotTokens(
  db: Database,
  accountId: bigint,
  from: bigint,
  to: bigint,
  limit: number,
): Promise<TokenBalance[]> {
  return db.query(
    selectQuery({
      name: 'select-snapshot-tokens',
      shape: `${limit}`,
      distinctOn: 'token_id',
      select: columns('token_balance', { tokenId: 'token_id', balance: 'balance' }),
      from: `from token_balance
where account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3
order by token_id, consensus_timestamp desc limit ${limit}`,
      values: [accountId, from, to],
    }),
  );
}
