import { expect, it } from 'vitest';
import { createRateGate } from './rate-gate.ts';

it('lets requests through at its rate, and turns away those that would wait too long', async () => {
  let time = 0;
  const gate = createRateGate({ ratePerSecond: 10, maxWaitMs: 0, now: () => time });
  expect(await gate.pass()).toBe(0);
  expect(await gate.pass()).toBe(1);
  time = 100;
  expect(await gate.pass()).toBe(0);
  time = 5000;
  expect(await gate.pass()).toBe(0);
  expect(await gate.pass()).toBe(1);
});

it('those who wait a little pass one after another', async () => {
  const gate = createRateGate({ ratePerSecond: 100, maxWaitMs: 1000 });
  const started = performance.now();
  expect(await Promise.all([gate.pass(), gate.pass(), gate.pass()])).toEqual([0, 0, 0]);
  expect(performance.now() - started).toBeGreaterThan(18);
});
