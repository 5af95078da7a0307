// How much room the database takes, and how much more with each day of the ledger.
import { formatBytes } from '../../../packages/kit/format-bytes.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectDatabaseSize } from '../../../packages/store/read/select-database-size.ts';
import { selectDaySums, selectKnownDays } from '../../../packages/store/read/select-days.ts';
import { selectOldestBlock } from '../../../packages/store/read/select-mirror-extent.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import { canRead } from '../../../packages/store/read/select-one.ts';

export type Storage = {
  /** Of the database, with its indexes. */
  bytes: bigint;
  /**
   * By the transactions of the newest days, each as large as those that are stored are on average; null = less than an
   * hour of the ledger is stored, or its days are not counted.
   */
  bytesADay: bigint | null;
  /** Free where the database's files are; null = they are on another machine. */
  freeBytes: bigint | null;
};

/** null = that is not known: it is distributed. */
export type StorageQuestion = () => Promise<Storage | null>;

export type StorageOptions = {
  db: Database;
  clock: () => bigint;
  /** Bytes; null = not on this machine. */
  freeBytes: () => bigint | null;
};

/** ns. */
const hour = 3_600_000_000_000n;
const day = 24n * hour;
/** Of which the newest transactions are counted. */
const countedDays = 7n;
/** The database's size is a look at each of its files. */
const keptFor = hour / 6n;

/** A new look is taken every ten minutes at most. */
export function createStorageQuestion({ db, clock, freeBytes }: StorageOptions): StorageQuestion {
  let last: { found: Storage | null; at: bigint } | null = null;
  let looking: Promise<Storage | null> | null = null;
  return async () => {
    const now = clock();
    if (last && now >= last.at && now - last.at < keptFor) return last.found;
    looking ??= findStorage(db, freeBytes())
      .then((found) => {
        last = { found, at: now };
        return found;
      })
      .finally(() => {
        looking = null;
      });
    return looking;
  };
}

/** @param freeBytes see {@link Storage} */
export async function findStorage(db: Database, freeBytes: bigint | null): Promise<Storage | null> {
  const bytes = await selectDatabaseSize(db);
  return bytes === null ? null : { bytes, bytesADay: await findGrowth(db, bytes), freeBytes };
}

async function findGrowth(db: Database, bytes: bigint): Promise<bigint | null> {
  if (!(await canRead(db, 'ledger_day')) || (await selectKnownDays(db)).filling > 0n) return null;
  const [oldest, newest] = [await selectOldestBlock(db), await selectNewestBlock(db)];
  if (!oldest || !newest) return null;
  const [begin, end] = [oldest.consensusStart, newest.consensusEnd];
  const [first, last] = [begin / day, end / day];
  const counted = last - first < countedDays ? first : last - countedDays;
  const from = counted * day > begin ? counted * day : begin;
  if (end - from < hour) return null;
  const countSince = async (span: bigint): Promise<bigint> => {
    const [sums] = await selectDaySums(db, {
      from: Number(span),
      until: Number(last) + 1,
      step: Number(last - span) + 1,
    });
    return sums?.transactions ?? 0n;
  };
  const stored = await countSince(first);
  return stored === 0n ? null : (bytes * (await countSince(counted)) * day) / (stored * (end - from));
}

/** Days; further ahead a forecast says nothing. */
const tenYears = 3650n;

/** Days until the disk is full; null = that is not known, or it does not grow. */
export function daysLeft({ bytesADay, freeBytes }: Storage): bigint | null {
  return bytesADay === null || bytesADay === 0n || freeBytes === null ? null : freeBytes / bytesADay;
}

/** A sentence. `isCut`: older rows are dropped as days pass. */
export function describeStorage(storage: Storage, isCut: boolean): string {
  const { bytes, bytesADay } = storage;
  const size = formatBytes(Number(bytes));
  if (bytesADay === null) return `${size}.`;
  const growth = `${size}; a day of the ledger takes about ${formatBytes(Number(bytesADay))}`;
  if (isCut) return `${growth}, for which as much of the oldest days is dropped.`;
  const left = daysLeft(storage);
  if (left === null) return `${growth}.`;
  return `${growth}, and there is room for ${left > tenYears ? 'more than ten years' : `about ${left} more`}.`;
}
