import { expect, it, vi } from 'vitest';
import { holdPage } from './held-page.ts';

it('a page is kept as long as items are taken from it', async () => {
  vi.useFakeTimers();
  try {
    const page = holdPage([1, 2, 3]);
    expect(page.take()).toBe(1);
    await vi.advanceTimersByTimeAsync(900);
    expect(page.take()).toBe(2);
    await vi.advanceTimersByTimeAsync(900);
    expect(page.isDropped()).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect([page.take(), page.isDropped()]).toEqual([null, true]);
    const whole = holdPage([1]);
    expect([whole.take(), whole.take(), whole.isDropped()]).toEqual([1, null, false]);
  } finally {
    vi.useRealTimers();
  }
});
