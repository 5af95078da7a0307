// Metrics of calls.
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { measureCalls } from './measure-calls.ts';

it('counts ends, time, threads and re-runs', async () => {
  const registry = new Registry();
  const measures = measureCalls(registry);
  measures.watch({ counts: () => ({ threads: 4, busy: 1, starting: 1, waiting: 7, lost: 1 }) });
  measures.onAnswer('finished', 0.003);
  measures.onAnswer('notSupported', 0.2);
  measures.onLost();
  measures.onCompared([]);
  measures.onCompared(['gas']);
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'ledger_mirror_contract_calls_total{end="finished"} 1',
      'ledger_mirror_contract_calls_total{end="notSupported"} 1',
      'ledger_mirror_contract_calls_total{end="stopped"} 0',
      'ledger_mirror_contract_calls_total{end="lost"} 0',
      'ledger_mirror_contract_call_duration_seconds_bucket{le="0.0025"} 0',
      'ledger_mirror_contract_call_duration_seconds_bucket{le="0.005"} 1',
      'ledger_mirror_contract_call_duration_seconds_count 2',
      'ledger_mirror_call_threads{state="busy"} 1',
      'ledger_mirror_call_threads{state="idle"} 2',
      'ledger_mirror_call_threads{state="starting"} 1',
      'ledger_mirror_waiting_calls 7',
      'ledger_mirror_lost_call_threads_total 1',
      'ledger_mirror_reruns_total{result="equal"} 1',
      'ledger_mirror_reruns_total{result="different"} 1',
    ]),
  );
});
