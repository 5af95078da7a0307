// A queue in which clients wait is what the status says of contract verification, though the self-test still passes.
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { setUpStatus } from '../../../../packages/status/set-up-status.ts';
import { createRehearsal, page } from '../../../../packages/test-support/status/status-rehearsal.ts';
import { createCheckWaitSignals, measureChecks } from './measure-checks.ts';

test('how long clients wait is a metric, a signal, and the state of the component', async () => {
  const registry = new Registry();
  const signals = createCheckWaitSignals(registry);
  expect(await signals()).toEqual({});
  const checks = measureChecks(registry);
  let waitMs = 0;
  checks.watch(() => ({ running: 1, waiting: 40, waitMs }));
  checks.refused('client');
  const text = await registry.metrics();
  expect(text).toContain('ledger_mirror_verification_checks{state="waiting"} 40');
  expect(text).toContain('ledger_mirror_verification_refused_total{limit="client"} 1');
  expect(text).toContain('ledger_mirror_verification_refused_total{limit="queue"} 0');

  const rehearsal = createRehearsal();
  // The component is there once something is known of it, as the service does with each report.
  rehearsal.pass(10, { 'verification.down': 0 });
  rehearsal.say((before, now) => ({ state: setUpStatus(before, page, now) }));
  const state = async () => {
    rehearsal.pass(10, { 'verification.down': 0, 'verification.checkMs': 1000, ...(await signals()) });
    return rehearsal.component('verification').measured;
  };
  expect(await state()).toBe('operational');
  waitMs = 179_000;
  expect(await state()).toBe('operational');
  waitMs = 180_000;
  expect(await state()).toBe('degraded_performance');
  expect(await signals()).toEqual({ 'verification.waitMs': 180_000 });
  waitMs = 600_000;
  expect(await state()).toBe('partial_outage');
  expect(rehearsal.component('verification').reason).toBe(
    'a contract has been waiting for its verification for 10 minutes',
  );
  waitMs = 0;
  rehearsal.pass(180, await signals());
  expect(await state()).toBe('operational');
});
