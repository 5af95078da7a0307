import { expect, test } from 'vitest';
import { watchLoop } from './loop-lag.ts';
import { pause } from './pause.ts';

test('a thread that was held is late, and is not for long', async () => {
  const lag = watchLoop();
  await pause(120);
  const until = performance.now() + 1500;
  while (performance.now() < until);
  expect(lag.ms()).toBeGreaterThan(100);
  await expect.poll(lag.ms, { timeout: 60_000 }).toBeLessThan(30);
  lag.close();
});
