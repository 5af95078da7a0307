// Bounds of what calls take in a second: requests, and gas. Buckets that are refilled steadily; each process has its own.
export type Bucket = {
  /** Whether there was as much; then it is taken. */
  take(amount: number): boolean;
  giveBack(amount: number): void;
};

/** `clock`: monotonic, ms. */
export function createBucket(perSecond: number, clock: () => number = () => performance.now()): Bucket {
  let held = perSecond;
  let at = clock();
  const refill = (): void => {
    const now = clock();
    held = Math.min(perSecond, held + ((now - at) / 1000) * perSecond);
    at = now;
  };
  return {
    take(amount) {
      refill();
      if (amount > held) return false;
      held -= amount;
      return true;
    },
    giveBack(amount) {
      refill();
      held = Math.min(perSecond, held + amount);
    },
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
  enter(gas: number): Exceeded | null;
  /** Some of the gas was not needed. */
  giveBack(gas: number): void;
};

export function createThrottle(
  { requestsPerSecond, gasPerSecond }: { requestsPerSecond: number; gasPerSecond: number },
  clock?: () => number,
): CallThrottle {
  const requests = createBucket(requestsPerSecond, clock);
  const units = createBucket(gasUnits(gasPerSecond), clock);
  return {
    enter(gas) {
      if (!requests.take(1)) return 'requests';
      return units.take(gasUnits(gas)) ? null : 'gas';
    },
    giveBack: (gas) => units.giveBack(gasUnits(gas)),
  };
}
