// What is read once serves all who ask for the same, and a reader who leaves takes nothing from the others.
import { expect, it, vi } from 'vitest';
import { createHeldReads, type LiveItem } from './held-reads.ts';

const item: LiveItem = { id: '1.000000000', at: 1_000_000_000n, text: '{}' };
const reads = { pass: <T>(work: () => Promise<T>) => work() };
const staying = new AbortController().signal;

/** Reads that end when the test says so. */
function createReader() {
  const open: PromiseWithResolvers<LiveItem[]>[] = [];
  return {
    open,
    read: () => {
      const reading = Promise.withResolvers<LiveItem[]>();
      open.push(reading);
      return reading.promise;
    },
  };
}

it('one read for all, until it fails', async () => {
  const held = createHeldReads(reads);
  const { open, read } = createReader();
  const all = [1, 2, 3].map(() => held.share('a', read, staying));
  expect(open).toHaveLength(1);
  open[0]!.resolve([item]);
  expect(await Promise.all(all)).toEqual([[item], [item], [item]]);
  expect(await held.share('a', read, staying)).toEqual([item]);
  void held.share('b', read, staying);
  expect(open).toHaveLength(2);
});

it('what the first one left is begun again for those who stay', async () => {
  const held = createHeldReads(reads);
  const { open, read } = createReader();
  const leaving = new AbortController();
  const first = held.share('a', read, staying);
  const second = held.share('a', read, staying);
  const third = held.share('a', read, leaving.signal);
  leaving.abort();
  open[0]!.reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await expect(third).rejects.toThrow(/abort/);
  await vi.waitFor(() => expect(open).toHaveLength(2));
  open[1]!.resolve([item]);
  expect(await second).toEqual([item]);
});

it('keeps few pages', async () => {
  const held = createHeldReads(reads);
  let count = 0;
  const read = async () => {
    count += 1;
    return [item];
  };
  for (let round = 0; round < 2; round++) for (let key = 0; key < 17; key++) await held.share(`${key}`, read, staying);
  expect(count).toBe(34);
});
