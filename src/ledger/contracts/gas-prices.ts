// The gas price at a moment, from the schedule of fees and the exchange rate (file 112) as of that moment: the one
// price of a transaction that names none itself. Which of a file's two rates or schedules applies is decided by the
// start of the moment's hour. A file's content at a past moment never changes, so it is cached.

import { compareBigints } from '../../../packages/kit/compare-bigints.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { type SystemEntity, type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectFileChanges } from '../../../packages/store/read/select-file-changes.ts';
import { readSystemFile } from '../files/read-system-file.ts';
import { gasOfCall, isPast, readGasSchedule } from '../network/gas-schedule.ts';

export type GasPrices = {
  /** tinybar per gas at a consensus timestamp (ns); null if one of the files has no price. */
  at(timestamp: bigint): Promise<bigint | null>;
};

type Options = { db: Database; system: SystemRealm; maxHours?: number };

const nanosecondsPerHour = 3_600_000_000_000n;

export function createGasPrices({ db, system, maxHours = 1000 }: Options): GasPrices {
  const hours = new Map<bigint, Hour>();
  // From then on file 111 needs no look. null = not known yet.
  let simpleSince: bigint | null = null;

  return {
    async at(timestamp) {
      const start = timestamp - (timestamp % nanosecondsPerHour);
      const hour = hours.get(start) ?? {
        knownUpTo: start,
        wantedUpTo: start,
        learning: null,
        changes: [],
        prices: new Map(),
      };
      hours.set(start, hour);
      if (hours.size > maxHours) hours.delete(hours.keys().next().value!);
      while (timestamp > hour.knownUpTo) {
        if (timestamp > hour.wantedUpTo) hour.wantedUpTo = timestamp;
        hour.learning ??= learnChanges(hour).finally(() => {
          hour.learning = null;
        });
        await hour.learning;
      }
      const moment = hour.changes.findLast((change) => change <= timestamp) ?? start;
      const known = hour.prices.get(moment);
      if (known) return known;
      const price = readPrice(moment, start);
      hour.prices.set(moment, price);
      price.catch(() => hour.prices.delete(moment));
      return price;
    },
  };

  // The requested moment is stored, and so is everything before it: all changes up to it are known.
  async function learnChanges(hour: Hour): Promise<void> {
    // The results of a page ask at the same time: one query for all of them.
    await null;
    const upTo = hour.wantedUpTo;
    const span = { after: hour.knownUpTo, upTo };
    const files: SystemEntity[] = ['simpleFees', 'exchangeRates'];
    if (simpleSince === null || span.after < simpleSince) files.push('feeSchedules');
    const found = await Promise.all(files.map((file) => selectFileChanges(db, systemEntityId(file, system), span)));
    hour.changes.push(...found.flat().sort(compareBigints));
    hour.knownUpTo = upTo;
  }

  async function readPrice(moment: bigint, hourStart: bigint): Promise<bigint | null> {
    const [schedule, rate] = await Promise.all([
      readGasSchedule(db, { system, upTo: moment }),
      readSystemFile(db, { fileId: systemEntityId('exchangeRates', system), upTo: moment }, (content) =>
        decodeRate(content, hourStart),
      ),
    ]);
    if (schedule && 'simple' in schedule.value && (simpleSince === null || moment < simpleSince)) simpleSince = moment;
    const gas = schedule && gasOfCall(schedule.value, hourStart);
    // As in a list of fees, an hbar without a value makes no price.
    if (gas === null || rate === null || rate.value.cents === 0n) return null;
    const price = (gas * rate.value.hbars) / (rate.value.cents * 1000n);
    return price > 1n ? price : 1n;
  }
}

type Hour = {
  /** All changes of the files within the hour up to here are in `changes`, ascending. */
  knownUpTo: bigint;
  /** The latest moment that waiting queries need. */
  wantedUpTo: bigint;
  learning: Promise<void> | null;
  changes: bigint[];
  /** By the last change before the moment, or the start of the hour. */
  prices: Map<bigint, Promise<bigint | null>>;
};

/**
 * Exchange rate at `at`: `hbars` hbar are worth `cents` US cents; null if the set has none of that time: it cannot be
 * used.
 */
function decodeRate(content: Buffer, at: bigint): { hbars: bigint; cents: bigint } | null {
  const { currentRate, nextRate } = proto.ExchangeRateSet.decode(content);
  if (!currentRate) return null;
  const rate = isPast(currentRate.expirationTime, at) ? nextRate : currentRate;
  return rate ? { hbars: BigInt(rate.hbarEquiv ?? 0), cents: BigInt(rate.centEquiv ?? 0) } : null;
}
