// Whether all processes of a `serve` answer, and all databases that they may read from, out of its metrics. Neither is an
// outage: the others answer meanwhile. Names of machines are left out, because the status page is public.
import type { Facts, Signals } from '../../../status/signal-names.ts';
import type { CountedMetrics } from './request-signals.ts';

export function createServingSignals(
  registry: CountedMetrics,
): () => Promise<{ values: Signals<'processes'>; facts: Facts }> {
  return async () => {
    const values: Signals<'processes'> = {};
    const facts: Facts = {};
    const workers = await registry.getSingleMetric('ledger_mirror_workers')?.get();
    const count = (state: string): number => workers?.values.find(({ labels }) => labels.state === state)?.value ?? 0;
    if (workers) {
      values['api.workersMissing'] = count('wanted') - count('answering');
      facts['api.workersMissing'] = `${count('answering')} of ${count('wanted')} processes answer`;
    }
    const places = await registry.getSingleMetric('ledger_mirror_database_answers')?.get();
    if (places) {
      const lost = places.values.filter(({ value }) => value === 0).length;
      values['database.placesLost'] = lost;
      facts['database.placesLost'] =
        `${places.values.length - lost} of ${places.values.length} databases answer, replicas included`;
    }
    return { values, facts };
  };
}
