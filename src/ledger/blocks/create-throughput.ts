// How many transactions each minute of the newest day has. Minutes that have ended do not change: they are kept, and a
// look at the database reads only the blocks that came since the last one.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { minuteLength, selectMinuteCounts } from '../../../packages/store/read/select-minute-counts.ts';
import { selectOldestBlock } from '../../../packages/store/read/select-mirror-extent.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';

export type Throughput = {
  /**
   * Consensus time, ns, of the start of the minute that the newest block is in: it and what follows are not counted.
   */
  end: bigint;
  /** Of each whole minute that is stored, up to a day of them, ascending; the last one ends at `end`. */
  minutes: readonly bigint[];
};

/** null = nothing is stored yet. */
export type ThroughputQuestion = () => Promise<Throughput | null>;

/** Minutes. */
const kept = 1440n;

/** `clock`: ns. A new look is taken once a minute at most. */
export function createThroughput({ db, clock }: { db: Database; clock: () => bigint }): ThroughputQuestion {
  const counts = new Map<bigint, bigint>();
  /** Everything before this minute was counted. */
  let counted = 0n;
  let last: { found: Throughput; at: bigint } | null = null;
  let looking: Promise<Throughput | null> | null = null;

  return async () => {
    const now = clock();
    if (last && now >= last.at && now - last.at < minuteLength) return last.found;
    looking ??= look(now).finally(() => {
      looking = null;
    });
    return looking;
  };

  async function look(at: bigint): Promise<Throughput | null> {
    const [oldest, newest] = await Promise.all([selectOldestBlock(db), selectNewestBlock(db)]);
    if (!oldest || !newest) return null;
    const end = newest.consensusEnd / minuteLength;
    // The oldest block may be in the middle of a minute.
    const known = (oldest.consensusStart + minuteLength - 1n) / minuteLength;
    const start = known > end - kept ? known : end - kept;
    const from = counted > start ? counted : start;
    if (from < end) {
      for (const { minute, transactions } of await selectMinuteCounts(db, { from, until: end }))
        counts.set(minute, transactions);
      counted = end;
    }
    for (const minute of counts.keys()) if (minute < start) counts.delete(minute);
    const minutes: bigint[] = [];
    for (let minute = start; minute < end; minute++) minutes.push(counts.get(minute) ?? 0n);
    const found = { end: end * minuteLength, minutes };
    last = { found, at };
    return found;
  }
}
