import { afterEach, expect, it } from 'vitest';
import { type CallPool, createCallPool, PoolFull } from './call-pool.ts';

let pool: CallPool | null = null;
afterEach(() => pool?.close());

function openPool(more: { maxWaiting: number; maxWaitMs: number }): CallPool {
  const bytes = 2 ** 20;
  pool = createCallPool({
    maxThreads: 1,
    cache: { maxCodeBytes: bytes, maxPastBytes: bytes, maxPresentBytes: bytes },
    maxHeapMb: 256,
    onLost: () => {},
    ...more,
  });
  return pool;
}

it('refuses a job that has waited for too long, and gives the thread to the next one', async () => {
  const { use, counts } = openPool({ maxWaiting: 10, maxWaitMs: 50 });
  const first = Promise.withResolvers<string>();
  const held = use(() => first.promise);
  await expect(use(async () => 'never')).rejects.toThrow(PoolFull);
  expect(counts()).toMatchObject({ threads: 1, busy: 1, waiting: 0 });
  first.resolve('first');
  expect(await held).toBe('first');
  expect(await use(async () => 'second')).toBe('second');
  expect(counts()).toEqual({ threads: 1, busy: 0, waiting: 0, lost: 0 });
});

it('refuses a job where as many wait as may', async () => {
  const { use, counts } = openPool({ maxWaiting: 1, maxWaitMs: 60_000 });
  const first = Promise.withResolvers<string>();
  const held = use(() => first.promise);
  const waits = use(async () => 'second');
  await expect(use(async () => 'third')).rejects.toThrow(PoolFull);
  expect(counts().waiting).toBe(1);
  first.resolve('first');
  expect(await Promise.all([held, waits])).toEqual(['first', 'second']);
});
