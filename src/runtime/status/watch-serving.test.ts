import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { advanceStatus } from '../../../packages/status/advance-status.ts';
import { createReporterRoll } from '../../../packages/status/reporter-roll.ts';
import { setUpStatus } from '../../../packages/status/set-up-status.ts';
import { defaultStatusRules } from '../../../packages/status/status-rules.ts';
import { emptyState } from '../../../packages/status/status-state.ts';
import { type SignalReport, takeSignals } from '../../../packages/status/take-signals.ts';
import { createServingPlaces } from './serving-places.ts';
import { watchServing } from './watch-serving.ts';

const start = Date.UTC(2026, 10, 21, 12);
const network = { networkName: 'testnet', networkTitle: 'Hedera Testnet', url: null };

function create() {
  let now = start;
  let state = setUpStatus(emptyState(), network, now);
  let isNone = false;
  let reported: SignalReport['values'] = {};
  const apply = (report: SignalReport): void => {
    reported = report.values;
    state = advanceStatus(takeSignals(state, report, now), defaultStatusRules, now);
  };
  apply({ values: { 'api.down': 0, 'api.errorShare': 0 }, facts: {} });
  const places = createServingPlaces();
  const roll = createReporterRoll({ freshMs: 30_000 });
  const watch = watchServing({
    ...{ places, roll, standIns: { has: () => false }, report: apply, clock: () => now },
    onNone() {
      isNone = true;
    },
  });
  return {
    ...{ places, roll, watch },
    api: () => state.components.api!,
    reported: () => reported,
    isNone: () => isNone,
    pass(ms: number) {
      now += ms;
      watch.look();
    },
  };
}

it('a query service of this machine that was killed is an outage with the first look, not after two minutes', async () => {
  const { places, watch, api, pass } = create();
  expect(api().status).toBe('operational');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const ended = once(child, 'exit');
  places.note({ host: '127.0.0.1', port: 1, url: 'http://127.0.0.1:1', pid: child.pid!, started: null }, start);
  watch.look();
  expect(api().status).toBe('operational');
  child.kill('SIGKILL');
  await ended;
  pass(250);
  expect([api().status, api().reason]).toEqual(['major_outage', '1 of 1 query services does not answer']);
});

it('of several on other machines, one that is lost is a partial outage, and one that takes leave is none', () => {
  const { roll, api, pass, isNone } = create();
  for (const name of ['a/1', 'a/2']) roll.note(name, 'serve', start);
  pass(250);
  expect(api().status).toBe('operational');
  roll.lose('a/2');
  pass(250);
  expect([api().status, api().reason]).toEqual(['partial_outage', '1 of 2 query services does not answer']);
  roll.note('a/2', 'serve', start + 500);
  for (let second = 0; second < 12; second += 1) pass(1000);
  roll.forget('a/2');
  pass(250);
  // Its calm has to last as long as the rule says.
  expect(isNone()).toBe(false);
  roll.forget('a/1');
  pass(250);
  expect(isNone()).toBe(true);
});

it('reports that stay away are a loss, too', () => {
  const { roll, api, pass } = create();
  roll.note('a/1', 'serve', start);
  pass(30_000);
  expect(api().status).toBe('operational');
  pass(1);
  expect(api().status).toBe('major_outage');
});

it('of two imports, one that is lost is half of them', () => {
  const { roll, reported, pass } = create();
  for (const name of ['a/1', 'b/1']) roll.note(name, 'import', start);
  pass(250);
  expect(reported()).toEqual({ 'import.lost': 0 });
  roll.lose('b/1');
  pass(250);
  expect(reported()).toEqual({ 'import.lost': 0.5 });
});
