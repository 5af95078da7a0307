// How calls of contracts ended, and whether transactions that were run again did what the ledger says.
import { Counter, type Registry } from 'prom-client';
import type { CallsOptions } from '../../calls/create-calls.ts';

export function measureCalls(registry: Registry): Required<Pick<CallsOptions, 'onAnswer' | 'onCompared'>> {
  const answers = new Counter({
    name: 'ledger_mirror_contract_calls_total',
    help: 'Answers of contracts/call by how the run ended; notSupported: answered 501.',
    labelNames: ['end'] as const,
    registers: [registry],
  });
  const reruns = new Counter({
    name: 'ledger_mirror_reruns_total',
    help: 'Transactions that were run again, by whether all that the ledger says of them was equal.',
    labelNames: ['result'] as const,
    registers: [registry],
  });
  for (const end of ['finished', 'estimated', 'notSupported', 'stopped', 'throttled']) answers.inc({ end }, 0);
  for (const result of ['equal', 'different']) reruns.inc({ result }, 0);
  return {
    onAnswer: (end) => answers.inc({ end }),
    onCompared: (differences) => reruns.inc({ result: differences.length === 0 ? 'equal' : 'different' }),
  };
}
