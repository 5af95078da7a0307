// Balance snapshots: the first of a month holds every account, later ones only those that changed, and the treasury is
// in each of them.
import type { Database } from '../wire/database.ts';
import type { TokenBalanceRow } from './select-account.ts';

export type SnapshotSpan = { from: bigint; to: bigint; notEquals: readonly bigint[] };

/** Consensus timestamp of the newest snapshot in the span, found by the treasury's row. */
export async function selectSnapshotTimestamp(
  db: Database,
  treasuryId: bigint,
  span: SnapshotSpan,
): Promise<bigint | null> {
  const rows = await db.query<{ consensus_timestamp: bigint }>({
    name: 'select-snapshot-timestamp',
    text: `select consensus_timestamp from account_balance
where account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3 and consensus_timestamp <> all($4)
order by consensus_timestamp desc limit 1`,
    values: [treasuryId, span.from, span.to, span.notEquals],
  });
  return rows[0]?.consensus_timestamp ?? null;
}

/** The account's latest balance within [from, to]; null when it is in none of these snapshots. */
export async function selectSnapshotBalance(
  db: Database,
  accountId: bigint,
  from: bigint,
  to: bigint,
): Promise<bigint | null> {
  const rows = await db.query<{ balance: bigint }>({
    name: 'select-snapshot-balance',
    text: `select balance from account_balance
where account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3
order by consensus_timestamp desc limit 1`,
    values: [accountId, from, to],
  });
  return rows[0]?.balance ?? null;
}

/** The account's latest balance of each token within [from, to], ascending by token, at most `limit`. */
export function selectSnapshotTokens(
  db: Database,
  accountId: bigint,
  from: bigint,
  to: bigint,
  limit: number,
): Promise<TokenBalanceRow[]> {
  return db.query<TokenBalanceRow>({
    name: 'select-snapshot-tokens',
    shape: `${limit}`,
    text: `select distinct on (token_id) token_id, balance from token_balance
where account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3
order by token_id, consensus_timestamp desc limit ${limit}`,
    values: [accountId, from, to],
  });
}
