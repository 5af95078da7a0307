// What happened on each day of the ledger, which the import counts (packages/schema/day-tables.ts).
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type DaySpans,
  type DaySums,
  type KnownDays,
  selectDaySums,
  selectKnownDays,
  selectTypeSums,
  type TypeSums,
} from '../../../packages/store/read/select-days.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import type { GasPrices } from '../contracts/gas-prices.ts';

export type { DaySpans, DaySums, TypeSums };

export const dayNs = 86_400_000_000_000n;

/** First and last day with blocks, since 1970. `filling`: days that are still being counted. */
export type CountedDays = { first: number; last: number; filling: bigint };

export type Days = {
  /** null = no day is counted. */
  known(): Promise<CountedDays | null>;
  /** Ascending; a span without blocks is left out. */
  sums(spans: DaySpans): Promise<DaySums[]>;
  typeSums(spans: DaySpans): Promise<TypeSums[]>;
  /** Tinybar for a gas at the newest block; null = not known. */
  gasPriceNow(): Promise<bigint | null>;
};

export function createDays({ db, gasPrices }: { db: Database; gasPrices: GasPrices }): Days {
  return {
    async known() {
      const { first, last, filling }: KnownDays = await selectKnownDays(db);
      return first === null || last === null ? null : { first, last, filling };
    },
    sums: (spans) => selectDaySums(db, spans),
    typeSums: (spans) => selectTypeSums(db, spans),
    async gasPriceNow() {
      const newest = await selectNewestBlock(db);
      return newest ? gasPrices.at(newest.consensusEnd) : null;
    },
  };
}
