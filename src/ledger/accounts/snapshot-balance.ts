// What an account held as of T, by the balance snapshots. The first snapshot of a month (UTC) is complete and later ones
// hold changes only, so the answer is the latest row from the start of the snapshot's month until the snapshot.

import type { Range } from '../../kit/range.ts';
import {
  selectSnapshotBalance,
  selectSnapshotTimestamp,
  selectSnapshotTokens,
} from '../../store/read/select-balance-snapshot.ts';
import type { Database } from '../../store/wire/database.ts';
import { upperBound } from '../version-filter.ts';
import { withinClock } from '../within-clock.ts';
import type { AccountBalance } from './account.ts';

type Options = { db: Database; clock: () => bigint; treasuryId: bigint };

export function createSnapshotBalance({ db, clock, treasuryId }: Options) {
  /** null = no snapshot meets the conditions. */
  return async (id: bigint, range: Range, tokenLimit: number): Promise<AccountBalance | null> => {
    const to = upperBound(range);
    const now = clock();
    // Two months of partitions at most, counted back from the bound or, where that lies ahead, from now.
    const earliest = startOfMonth(to < now ? to : now, -1);
    const from = range.from !== null && range.from > earliest ? range.from : earliest;
    if (from > to) return null;
    const timestamp = await selectSnapshotTimestamp(db, treasuryId, {
      from,
      to,
      notEquals: withinClock(range).notEquals,
    });
    if (timestamp === null) return null;

    const monthStart = startOfMonth(timestamp, 0);
    const [balance, tokens] = await Promise.all([
      selectSnapshotBalance(db, id, monthStart, timestamp),
      selectSnapshotTokens(db, id, monthStart, timestamp, tokenLimit),
    ]);
    return {
      balance: balance ?? 0n,
      timestamp,
      tokens: tokens.map((token) => ({ tokenId: token.token_id, balance: token.balance })),
    };
  };
}

/** First moment (ns) of the UTC month `months` away from that of `timestamp` (ns). */
export function startOfMonth(timestamp: bigint, months: number): bigint {
  const date = new Date(Number(timestamp / 1_000_000n));
  return BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)) * 1_000_000n;
}
