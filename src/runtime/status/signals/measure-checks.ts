// The queue of contract checks as metrics for the operator, and as a signal for the status.
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../../../packages/kit/add-gauge.ts';
import type { Signals } from '../../../../packages/status/signal-names.ts';
import type { QueueLoad, RefusedBy } from '../../../../packages/verification/compilers/job-queue.ts';
import type { CountedMetrics } from './request-signals.ts';

export type CheckMeasures = {
  /** To be called for each check that is refused. */
  refused(limit: RefusedBy): void;
  /** From here on the queue is asked whenever the metrics are read. */
  watch(load: () => QueueLoad): void;
};

/** The gauge that the status reads. */
const checkWaitMetric = 'ledger_mirror_verification_wait_seconds';

export function measureChecks(registry: Registry): CheckMeasures {
  const refusals = new Counter({
    name: 'ledger_mirror_verification_refused_total',
    help: 'Contract checks that were refused, by whose limit was met: that of one client address, or that of the whole queue.',
    labelNames: ['limit'] as const,
    registers: [registry],
  });
  for (const limit of ['client', 'queue'] as const) refusals.inc({ limit }, 0);
  return {
    refused: (limit) => refusals.inc({ limit }),
    watch(load) {
      addGauge(registry, {
        name: 'ledger_mirror_verification_checks',
        help: 'Contract checks by what they do: running, or waiting.',
        label: 'state',
        read() {
          const { running, waiting } = load();
          return { running, waiting };
        },
      });
      addGauge(registry, {
        name: checkWaitMetric,
        help: 'Longest time that a client without a running contract check has been waiting for one.',
        aggregator: 'max',
        read: () => load().waitMs / 1000,
      });
    },
  };
}

export function createCheckWaitSignals(
  registry: CountedMetrics,
): () => Promise<Pick<Signals<'verification'>, 'verification.waitMs'>> {
  return async () => {
    const wait = await registry.getSingleMetric(checkWaitMetric)?.get();
    const seconds = wait?.values[0]?.value;
    return seconds === undefined ? {} : { 'verification.waitMs': seconds * 1000 };
  };
}
