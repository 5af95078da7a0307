// Bounds of what calls take in a second: requests, and gas, of each client and of all together. Buckets that are
// refilled steadily; each process has its own.
import { createClientBuckets } from '../../../packages/kit/shares/client-buckets.ts';

export type Bucket = {
  /** Whether there was as much; then it is taken. */
  take(amount: number): boolean;
};

/** `clock`: monotonic, ms. */
export function createBucket(perSecond: number, clock: () => number = () => performance.now()): Bucket {
  let held = perSecond;
  let at = clock();
  return {
    take(amount) {
      const now = clock();
      held = Math.min(perSecond, held + ((now - at) / 1000) * perSecond);
      at = now;
      if (amount > held) return false;
      held -= amount;
      return true;
    },
  };
}

/** All clients together may take so many times what one may. */
const ceiling = 4;

export type ClientRate = {
  /** Whether it may have as much; then it is taken. */
  take(client: string, amount: number): boolean;
  giveBack(client: string, amount: number): void;
};

export function createClientRate(perSecond: number, clock?: () => number): ClientRate {
  const buckets = createClientBuckets({ perClient: perSecond, all: ceiling * perSecond, ...(clock && { clock }) });
  return {
    take: (client, amount) => buckets.take(client, amount) === null,
    giveBack: buckets.giveBack,
  };
}

/** Gas is counted in units of this; less costs nothing. */
const gasUnit = 10_000;

function gasUnits(gas: number): number {
  return Math.floor(gas / gasUnit);
}

export type Exceeded = 'requests' | 'gas';

export type CallThrottle = {
  /** What is exceeded; null = nothing, and the gas is taken. */
  enter(client: string, gas: number): Exceeded | null;
  /** Some of the gas was not needed. */
  giveBack(client: string, gas: number): void;
};

export function createThrottle(
  { requestsPerSecond, gasPerSecond }: { requestsPerSecond: number; gasPerSecond: number },
  clock?: () => number,
): CallThrottle {
  const requests = createClientRate(requestsPerSecond, clock);
  const units = createClientRate(gasUnits(gasPerSecond), clock);
  return {
    enter(client, gas) {
      if (!requests.take(client, 1)) return 'requests';
      return units.take(client, gasUnits(gas)) ? null : 'gas';
    },
    giveBack: (client, gas) => units.giveBack(client, gasUnits(gas)),
  };
}
