import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { calmSignals, createRehearsal } from '../test-support/status/status-rehearsal.ts';
import { defaultStatusRules } from './status-rules.ts';

const { timings, levels } = defaultStatusRules;

describe('every rule', () => {
  const cases = Object.entries(levels).filter(([, { component }]) => component !== 'verification');
  it.each(cases)('%s comes into force after its hold time, and out after its leave time', (_name, rule) => {
    const rehearsal = createRehearsal();
    const calm = calmSignals[rule.signal] ?? 0;
    const tick = timings.tickMs / 1000;
    const hold = rule.holdMs / 1000;
    if (hold > tick) {
      rehearsal.pass(hold - tick, { [rule.signal]: rule.enterAt });
      expect(rehearsal.component(rule.component).measured).not.toBe(rule.level);
      rehearsal.pass(tick);
    } else {
      rehearsal.pass(tick, { [rule.signal]: rule.enterAt });
    }
    expect(rehearsal.component(rule.component).measured).toBe(rule.level);
    expect(rehearsal.component(rule.component).reason).not.toMatch(/[{}]/);
    expect(rehearsal.component(rule.component).status).toBe(rule.level);

    rehearsal.pass(rule.leaveMs / 1000 - tick, { [rule.signal]: calm });
    expect(rehearsal.component(rule.component).measured).not.toBe('operational');
    // Rules of the same signal may take longer.
    rehearsal.pass(180);
    expect(rehearsal.component(rule.component).measured).toBe('operational');
  });

  it.each(Object.entries(levels))('%s leaves below where it enters, and later', (_name, rule) => {
    expect(rule.exitBelow).toBeLessThanOrEqual(rule.enterAt);
    expect(rule.leaveMs).toBeGreaterThanOrEqual(Math.min(rule.holdMs, 60_000));
  });
});

test('between the two thresholds nothing changes', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(600, { 'api.p95Ms': 1900 });
  expect(rehearsal.component('api').measured).toBe('operational');
  rehearsal.pass(60, { 'api.p95Ms': 2000 });
  expect(rehearsal.component('api').measured).toBe('degraded_performance');
  rehearsal.pass(1200, { 'api.p95Ms': 1600 });
  expect(rehearsal.component('api').measured).toBe('degraded_performance');
  rehearsal.pass(180, { 'api.p95Ms': 1400 });
  expect(rehearsal.component('api').measured).toBe('operational');
});

test('the worst of several signals wins, and the group shows the worst of its components', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(60, { 'api.p95Ms': 3000, 'api.errorShare': 0.02 });
  expect(rehearsal.component('api').status).toBe('partial_outage');
  expect(rehearsal.component('mirror').status).toBe('partial_outage');
  expect(rehearsal.component('network').status).toBe('operational');
});

test('one brief disturbance is no trouble', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(20, { 'database.down': 1 });
  rehearsal.pass(600, { 'database.down': 0 });
  expect(rehearsal.component('database').measured).toBe('operational');
  expect(rehearsal.incidents()).toEqual([]);
});

describe('without data', () => {
  it('is never operational before the first signals', () => {
    const rehearsal = createRehearsal();
    expect(rehearsal.component('database').unknown).toBe(false);
    rehearsal.fallSilent(130);
    for (const key of ['api', 'import', 'continuity', 'database', 'network', 'mirror']) {
      expect(rehearsal.component(key).status, key).toBe('degraded_performance');
    }
    expect(rehearsal.component('database')).toMatchObject({ unknown: true, reason: 'no fresh data about it' });
    rehearsal.pass(10);
    expect(rehearsal.component('database')).toMatchObject({ unknown: false, status: 'operational' });
  });

  it('keeps what was known to be wrong', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(60, { 'database.down': 1 });
    rehearsal.fallSilent(600);
    expect(rehearsal.component('database')).toMatchObject({ unknown: false, status: 'major_outage' });
  });
});

test('no order of signals makes a component operational while its rule would enter', () => {
  const values = fc.array(fc.record({ value: fc.constantFrom(0, 1), ticks: fc.integer({ min: 1, max: 12 }) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(values, (steps) => {
      const rehearsal = createRehearsal();
      for (const { value, ticks } of steps) rehearsal.pass(ticks * 10, { 'database.down': value });
      rehearsal.pass(30, { 'database.down': 1 });
      expect(rehearsal.component('database').measured).toBe('major_outage');
      rehearsal.pass(60, { 'database.down': 0 });
      expect(rehearsal.component('database').measured).toBe('operational');
    }),
    { numRuns: 50 },
  );
});
