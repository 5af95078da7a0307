// The hbar balance of an account over time. From the current balance backwards through the newest transfers it is
// exact, at each moment that changed it; before that it is what balance snapshots say.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  hasTransferIndex,
  selectCurrentBalance,
  selectFirstSnapshot,
  selectNewestTransfers,
  selectSnapshotBalances,
} from '../../../packages/store/read/select-balance-history.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';

/** `at`: ns; `balance`: tinybar, from then on. */
export type BalancePoint = { at: bigint; balance: bigint };

export type BalanceHistory = {
  /** By time, at least one. From each of them on the balance is exact until the next one. */
  exact: readonly BalancePoint[];
  /** Before the first exact one, by time: balances at snapshots. */
  snapshots: readonly BalancePoint[];
  /** Whether every stored transfer of the account is among the exact ones. */
  isWhole: boolean;
};

/** Read at most. */
export const maxHistoryTransfers = 1000;
/** Of snapshots, over the time before the exact ones. */
const snapshotMoments = 48n;
/** The first snapshot of a month has every account: an older row says nothing of the moment. */
const snapshotSpan = 32n * 86_400_000_000_000n;

/** null = the current balance is unknown, or there is no such entity. */
export async function askBalanceHistory(db: Database, accountId: bigint): Promise<BalanceHistory | null> {
  // As of one block: a transfer that is in one and not in the other would be in all balances before.
  return db.snapshot(async (own) => {
    const [balance, found] = await Promise.all([
      selectCurrentBalance(own, accountId),
      hasTransferIndex(accountId)
        ? selectNewestTransfers(own, { accountId, from: null, limit: maxHistoryTransfers })
        : [],
    ]);
    if (balance === null) return null;
    const isWhole = hasTransferIndex(accountId) && found.length < maxHistoryTransfers;
    const { points, before } = toPoints(found, balance);
    const exact = points.length > 0 ? points : [{ at: (await selectNewestBlock(own))?.consensusEnd ?? 0n, balance }];
    const isFromTheStart = isWhole && found.length > 0 && before === 0n;
    const snapshots = isFromTheStart ? [] : await findSnapshots(own, accountId, exact[0]!.at);
    return { exact, snapshots, isWhole };
  });
}

/** What `askBalanceAt` finds, as far as a history of the same block says it; null = it does not. */
export function balanceIn({ exact }: BalanceHistory, accountId: bigint, moment: bigint): bigint | null {
  if (!hasTransferIndex(accountId)) return null;
  return exact.findLast(({ at }) => at <= moment)?.balance ?? null;
}

type Transfer = { consensusTimestamp: bigint; amount: bigint };

/** One point for each moment, whatever its number of transfers. `before`: the balance before all of them. */
function toPoints(newestFirst: readonly Transfer[], current: bigint): { points: BalancePoint[]; before: bigint } {
  const points: BalancePoint[] = [];
  let balance = current;
  for (const { consensusTimestamp, amount } of newestFirst) {
    if (points.at(-1)?.at !== consensusTimestamp) points.push({ at: consensusTimestamp, balance });
    balance -= amount;
  }
  return { points: points.reverse(), before: balance };
}

/** Those before `end`, ns. */
async function findSnapshots(db: Database, accountId: bigint, end: bigint): Promise<BalancePoint[]> {
  const first = await selectFirstSnapshot(db, accountId);
  if (first === null || first >= end) return [];
  const step = (end - first) / snapshotMoments;
  const moments = Array.from({ length: Number(snapshotMoments) }, (_, place) => first + BigInt(place) * step);
  const rows = await selectSnapshotBalances(db, { accountId, moments, within: snapshotSpan });
  const points = rows.flatMap(({ timestamp, balance }) =>
    timestamp === null || balance === null ? [] : [{ at: timestamp, balance }],
  );
  // Moments may share a snapshot.
  return points.filter(({ at }, place) => points[place - 1]?.at !== at);
}

/** Newer transfers that are read at most to find a balance in the past. */
const maxNewerTransfers = 2000;

/** The balance after `moment` (ns), exact; null = unknown, or too much has been moved since. */
export async function askBalanceAt(db: Database, accountId: bigint, moment: bigint): Promise<bigint | null> {
  if (!hasTransferIndex(accountId)) return null;
  return db.snapshot(async (own) => {
    const limit = maxNewerTransfers;
    const [balance, newer] = await Promise.all([
      selectCurrentBalance(own, accountId),
      selectNewestTransfers(own, { accountId, from: moment + 1n, limit }),
    ]);
    if (balance === null) return null;
    return newer.length < limit ? newer.reduce((left, { amount }) => left - amount, balance) : null;
  });
}
