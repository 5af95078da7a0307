// How long clients wait for contract checks, out of the metrics: several processes together are one registry there.
import { checkWaitMetric } from '../../measure-checks.ts';
import type { CountedMetrics } from './request-signals.ts';
import type { Signals } from './signals.ts';

export function createCheckWaitSignals(registry: CountedMetrics): () => Promise<Signals> {
  return async () => {
    const wait = await registry.getSingleMetric(checkWaitMetric)?.get();
    const seconds = wait?.values[0]?.value;
    const signals: Signals = {};
    if (seconds !== undefined) signals['verification.waitMs'] = seconds * 1000;
    return signals;
  };
}
