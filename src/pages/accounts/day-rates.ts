// The exchange rate of each day, out of the network's own file of rates: the one in force when the day (UTC) began, or,
// on the day when the first was written, that one.
import type { ExchangeRate, Rate } from '../../ledger/network/network.ts';
import type { PageContext } from '../page/page-context.ts';
import { rateAt } from '../parts/dollars.ts';

export type DayRate = { rate: Rate; writtenAt: bigint };

const nsPerDay = 86_400_000_000_000n;

/** For moments (ns) that come in order: each day is looked up once. null = no rate is stored for it. */
export function createDayRates({ ledger }: Pick<PageContext, 'ledger'>): (moment: bigint) => Promise<DayRate | null> {
  let known: { day: bigint; found: DayRate | null } | null = null;
  return async (moment) => {
    const day = moment - (moment % nsPerDay);
    if (known?.day !== day) known = { day, found: await find(day) };
    return known.found;
  };

  async function find(day: bigint): Promise<DayRate | null> {
    return (await findWithin({ from: null, to: day }, day)) ?? findWithin({ from: day, to: day + nsPerDay - 1n }, day);
  }

  async function findWithin(within: { from: bigint | null; to: bigint }, day: bigint): Promise<DayRate | null> {
    const found: ExchangeRate | { missingFileId: bigint } = await ledger.network.exchangeRate(within);
    if ('missingFileId' in found) return null;
    const rate = rateAt(found, day);
    return rate && { rate, writtenAt: found.timestamp };
  }
}
