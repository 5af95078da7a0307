// Which balance snapshot a request means. The first snapshot of a month (UTC) is complete and later ones hold changes
// only, so a balance at a snapshot is the latest row from the start of its month until then.

import type { Range } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  type Snapshot,
  type SnapshotSearch,
  selectSnapshotTimestamp,
} from '../../../packages/store/read/select-balance-snapshot.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import { upperBound } from '../question/version-filter.ts';
import { withinClock } from '../question/within-clock.ts';

type Options = { clock: () => bigint; system: SystemRealm };

/** null = no snapshot meets the conditions. `eq` means at or before. */
export function toSnapshotSearch(range: Range, { clock, system }: Options): SnapshotSearch | null {
  const to = upperBound(range);
  const now = clock();
  // Two months of partitions at most, counted back from the bound or, if that lies ahead, from now.
  const isPast = to < now;
  const earliest = startOfMonth(isPast ? to : now, -1);
  const from = range.from !== null && range.from > earliest ? range.from : earliest;
  if (from > to) return null;
  const { notEquals } = withinClock(range);
  const months = { from: earliest, to: isPast ? startOfMonth(to, 1) : latestMoment };
  return { treasuryId: systemEntityId('treasury', system), from, to, notEquals, months };
}

/** null = there is none. */
export async function findSnapshot(db: Database, search: SnapshotSearch): Promise<Snapshot | null> {
  const at = await selectSnapshotTimestamp(db, search);
  return at === null ? null : { from: startOfMonth(at, 0), at };
}

/** First moment (ns) of the UTC month `months` away from that of `timestamp` (ns). */
export function startOfMonth(timestamp: bigint, months: number): bigint {
  const date = new Date(Number(timestamp / 1_000_000n));
  return BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)) * 1_000_000n;
}
