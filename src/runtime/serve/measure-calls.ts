// How calls of contracts ended, how long they took, their threads, and whether transactions that were run again did
// what the ledger says.
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import { createDurationHistogram } from '../../../packages/kit/duration-histogram.ts';
import type { CallEnd, Calls, CallsOptions } from '../../calls/create-calls.ts';

type Heard = Required<Pick<CallsOptions, 'onAnswer' | 'onCompared'>>;
export type CallMeasures = Heard & {
  onLost(): void;
  /** Shows the threads of these calls. */
  watch(calls: Pick<Calls, 'counts'>): void;
};

const ends: readonly CallEnd[] = [
  'finished',
  'estimated',
  'tracedCalls',
  'simulated',
  'notSupported',
  'stopped',
  'throttled',
  'overloaded',
  'lost',
];
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function measureCalls(registry: Registry): CallMeasures {
  const answers = new Counter({
    name: 'ledger_mirror_contract_calls_total',
    help: 'Answers of contracts/call by how the run ended; notSupported: answered 501.',
    labelNames: ['end'] as const,
    registers: [registry],
  });
  const durations = createDurationHistogram({
    name: 'ledger_mirror_contract_call_duration_seconds',
    help: 'How long calls of contracts/call took, with the wait for a thread.',
    buckets,
    registry,
  }).addSeries({});
  const lost = new Counter({
    name: 'ledger_mirror_lost_call_threads_total',
    help: 'Threads that ended while they ran a contract, or did not start, and were replaced.',
    registers: [registry],
  });
  const reruns = new Counter({
    name: 'ledger_mirror_reruns_total',
    help: 'Transactions that were run again, by whether all that the ledger says of them was equal.',
    labelNames: ['result'] as const,
    registers: [registry],
  });
  for (const end of ends) answers.inc({ end }, 0);
  for (const result of ['equal', 'different']) reruns.inc({ result }, 0);
  return {
    onAnswer(end, seconds) {
      answers.inc({ end });
      durations.observe(seconds);
    },
    onCompared: (differences) => reruns.inc({ result: differences.length === 0 ? 'equal' : 'different' }),
    onLost: () => lost.inc(),
    watch({ counts }) {
      addGauge(registry, {
        name: 'ledger_mirror_call_threads',
        help: 'Threads that run contracts, busy and idle, and those that start.',
        label: 'state',
        read() {
          const { threads, busy, starting } = counts();
          return { busy, idle: threads - busy - starting, starting };
        },
      });
      addGauge(registry, {
        name: 'ledger_mirror_waiting_calls',
        help: 'Calls of contracts that wait for a thread.',
        read: () => counts().waiting,
      });
    },
  };
}
