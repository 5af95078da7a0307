import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { beginning, createRehearsal, type Rehearsal } from '../test-support/status/status-rehearsal.ts';

const daysOf = (rehearsal: Rehearsal, key: string) =>
  Object.values(rehearsal.state.days).filter(({ componentId }) => componentId === rehearsal.component(key).id);
const secondsOf = (rehearsal: Rehearsal, key: string): Record<string, number> => {
  const total: Record<string, number> = {};
  for (const { seconds } of daysOf(rehearsal, key)) {
    for (const [state, count] of Object.entries(seconds)) total[state] = (total[state] ?? 0) + count;
  }
  return total;
};

test('without a request nothing is measured of requests', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(1200, { 'api.requests': 0, 'api.p95Ms': 0 });
  const points = Object.values(rehearsal.state.points).slice(1);
  expect(new Set(points.map(({ p95Ms, errorShare }) => p95Ms ?? errorShare))).toEqual(new Set([null]));
  rehearsal.pass(300, { 'api.requests': 3, 'api.p95Ms': 7 });
  expect(Object.values(rehearsal.state.points).at(-1)).toMatchObject({ p95Ms: 7, errorShare: 0 });
});

describe('days', () => {
  it('count every second in the state that was shown', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(60);
    rehearsal.pass(60, { 'database.down': 1 });
    rehearsal.pass(100, { 'database.down': 0 });
    // 30 s hold before the outage, 60 s leave after it; the state changes with the tick that finds it.
    expect(secondsOf(rehearsal, 'database')).toMatchObject({ major_outage: 90, no_data: 0 });
  });

  it('keep time without a watcher, and time without signals, as time without data', () => {
    const rehearsal = createRehearsal();
    const before = secondsOf(rehearsal, 'database');
    rehearsal.now += 3600_000;
    rehearsal.pass(10);
    expect(secondsOf(rehearsal, 'database').no_data! - before.no_data!).toBe(3610);
    rehearsal.fallSilent(600);
    // Signals are believed for two minutes.
    expect(secondsOf(rehearsal, 'database').no_data! - before.no_data!).toBe(3610 + 600 - 130);
  });

  it('end at midnight, UTC', () => {
    const rehearsal = createRehearsal();
    rehearsal.pass(13 * 3600);
    const [first, second] = daysOf(rehearsal, 'database');
    expect(first!.date).toBe('2026-11-21');
    expect(first!.seconds.operational + first!.seconds.no_data).toBe(12 * 3600 - 10);
    expect(second).toMatchObject({ date: '2026-11-22', seconds: { operational: 3600 + 30 } });
  });

  it('add up to the time that went by, whatever happened', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pass'), seconds: fc.integer({ min: 10, max: 900 }), down: fc.boolean() }),
      fc.record({ kind: fc.constant('silent'), seconds: fc.integer({ min: 10, max: 900 }), down: fc.boolean() }),
      fc.record({ kind: fc.constant('sleep'), seconds: fc.integer({ min: 1, max: 200_000 }), down: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const rehearsal = createRehearsal();
        for (const { kind, seconds, down } of steps) {
          if (kind === 'sleep') rehearsal.now += seconds * 1000;
          else if (kind === 'silent') rehearsal.fallSilent(seconds);
          else rehearsal.pass(seconds, { 'database.down': down ? 1 : 0 });
        }
        rehearsal.pass(10);
        const total = Object.values(secondsOf(rehearsal, 'database')).reduce((sum, count) => sum + count, 0);
        // The first tick begins to count.
        expect(total).toBeCloseTo((rehearsal.now - beginning) / 1000 - 10, 3);
        for (const { seconds } of daysOf(rehearsal, 'database')) {
          expect(Object.values(seconds).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(86_400.001);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test('points hold the worst of five minutes, and nothing where nothing was measured', () => {
  const rehearsal = createRehearsal();
  rehearsal.pass(20, { 'import.lagMs': 9000 });
  rehearsal.pass(280, { 'import.lagMs': 2000 });
  rehearsal.fallSilent(1200);
  rehearsal.pass(10, { 'import.lagMs': 4000 });
  const points = Object.values(rehearsal.state.points).map(({ at, lagMs }) => [(at - beginning) / 60_000, lagMs]);
  expect(points).toEqual([
    [0, 9000],
    [5, 2000],
    [25, 4000],
  ]);
  rehearsal.pass(25 * 3600);
  expect(Object.keys(rehearsal.state.points).length).toBeLessThanOrEqual(290);
});
