// How long clients wait for contract checks, out of the metrics: several processes together are one registry there.
import type { Signals } from '../../../status/signal-names.ts';
import { checkWaitMetric } from '../../measure-checks.ts';
import type { CountedMetrics } from './request-signals.ts';

export function createCheckWaitSignals(registry: CountedMetrics): () => Promise<Signals<'verification'>> {
  return async () => {
    const wait = await registry.getSingleMetric(checkWaitMetric)?.get();
    const seconds = wait?.values[0]?.value;
    const signals: Signals<'verification'> = {};
    if (seconds !== undefined) signals['verification.waitMs'] = seconds * 1000;
    return signals;
  };
}
