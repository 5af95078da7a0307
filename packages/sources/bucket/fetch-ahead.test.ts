// What is fetched ahead, and how much of it there is at any time.
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AskedStore } from './ask-again.ts';
import { createFetchAhead } from './fetch-ahead.ts';

/** A store in memory: the object `<n>` has n bytes. */
function memoryStore() {
  const asked: string[] = [];
  const stopped: string[] = [];
  const store: AskedStore = {
    name: 'memory',
    list: async () => ({ objects: [], folders: [], hasMore: false }),
    async get(key, signal) {
      asked.push(key);
      signal?.addEventListener('abort', () => stopped.push(key));
      await setImmediate();
      return Buffer.alloc(Number(key.split('-')[0]));
    },
  };
  return { store, asked, stopped };
}

const wanted = (key: string) => ({ key, sizeBytes: Number(key.split('-')[0]) });

it('gives every object once it is asked for, and never holds more than allowed', async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 8 }),
      async (list, most, window) => {
        const { store, asked } = memoryStore();
        const ahead = createFetchAhead(store, most);
        const keys = list.map((size, index) => `${size}-${index}`);
        const taken = new Set<string>();
        for (const [index, key] of keys.entries()) {
          ahead.want(keys.slice(index, index + window).map(wanted));
          const held = asked.filter((one) => !taken.has(one)).reduce((sum, one) => sum + wanted(one).sizeBytes, 0);
          expect(held).toBeLessThanOrEqual(most);
          taken.add(key);
          expect(await ahead.take(key)).toHaveLength(wanted(key).sizeBytes);
        }
        expect(asked).toHaveLength(keys.length);
      },
    ),
    { numRuns: 100 },
  );
});

it('stops what is no longer wanted', async () => {
  const { store, asked, stopped } = memoryStore();
  const ahead = createFetchAhead(store, 100);
  ahead.want(['1-a', '2-b', '3-c'].map(wanted));
  ahead.want(['2-b', '4-d'].map(wanted));
  expect(asked).toEqual(['1-a', '2-b', '3-c', '4-d']);
  expect(stopped).toEqual(['1-a', '3-c']);
  ahead.close();
  expect(stopped).toEqual(['1-a', '3-c', '2-b', '4-d']);
});

it('counts what came, and not what a list said of it', async () => {
  const { store, asked } = memoryStore();
  const ahead = createFetchAhead(store, 100);
  const liesAbout = (key: string) => ({ key, sizeBytes: 1 });
  ahead.want(['90-a', '90-b'].map(liesAbout));
  expect(asked).toEqual(['90-a', '90-b']);
  await setImmediate();
  await setImmediate();
  ahead.want(['90-a', '90-b', '90-c'].map(liesAbout));
  expect(asked).toEqual(['90-a', '90-b']);
  expect(await ahead.take('90-a')).toHaveLength(90);
  expect(await ahead.take('90-b')).toHaveLength(90);
  expect(asked).toEqual(['90-a', '90-b', '90-c']);
});
