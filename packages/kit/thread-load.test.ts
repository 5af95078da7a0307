import { expect, test, vi } from 'vitest';
import { watchThread } from './thread-load.ts';

test('a thread that works has a load, one that waits has none', async () => {
  const load = watchThread();
  const busy = setInterval(() => {
    const until = process.threadCpuUsage().user + 20_000;
    while (process.threadCpuUsage().user < until);
  }, 1);
  try {
    await vi.waitFor(() => expect(load.share()).toBeGreaterThan(0.02), { timeout: 240_000, interval: 50 });
    clearInterval(busy);
    await vi.waitFor(() => expect(load.share()).toBeLessThan(0.02), { timeout: 240_000, interval: 500 });
  } finally {
    clearInterval(busy);
    load.close();
  }
});
