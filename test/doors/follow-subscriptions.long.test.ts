import { expect, it } from 'vitest';
import { followSubscriptions } from './follow-subscriptions.ts';

it('clients that come back have each head and each log once and in order', async () => {
  const { heads, logs, seen, connections } = await followSubscriptions({
    ...{ blocks: 40, reconnects: 6, kills: 1, subscribers: 3, seed: 'small' },
  });
  for (const one of seen) expect(one).toEqual({ heads, logs });
  expect(logs.length).toBeGreaterThan(5);
  expect(Math.min(...connections)).toBeGreaterThan(2);
});
