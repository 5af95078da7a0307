// Filters are bounded in number, in bytes and in time.
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { pause } from '../../../../packages/kit/pause.ts';
import { runAs } from '../../../../packages/kit/shares/current-client.ts';
import { createFilters, type Filter } from './filters.ts';

const ofBlocks = (next: bigint): Filter => ({ logs: null, from: 0n, to: null, next });

it('of more than ten thousand the ones that were not used longest are forgotten', () => {
  const filters = createFilters(new Registry());
  const ids = Array.from({ length: 10_000 }, (_, at) => filters.add(ofBlocks(BigInt(at))));
  expect(filters.find(ids[0]!)?.next).toBe(0n);
  const more = Array.from({ length: 100 }, () => filters.add(ofBlocks(7n)));
  expect(filters.count()).toBe(10_000);
  expect(filters.find(ids[0]!)).toBeDefined();
  expect(ids.slice(1, 101).map((id) => filters.find(id))).toEqual(Array(100).fill(undefined));
  expect(filters.find(ids[101]!)).toBeDefined();
  expect(more.every((id) => filters.find(id))).toBe(true);
  expect(new Set([...ids, ...more]).size).toBe(10_100);
});

it('large ones are fewer: 16 MB in all', () => {
  const filters = createFilters(new Registry());
  const logs = { addresses: [], topics: [Array.from({ length: 100 }, () => Buffer.alloc(32))] };
  for (let count = 0; count < 5000; count++) filters.add({ ...ofBlocks(0n), logs });
  expect(filters.count()).toBeGreaterThan(1000);
  expect(filters.count()).toBeLessThan((16 * 2 ** 20) / 15_000 + 1);
});

it('one that is not used for five minutes is forgotten', async () => {
  let now = 1;
  const filters = createFilters(new Registry(), () => now);
  const [used, left] = [filters.add(ofBlocks(1n)), filters.add(ofBlocks(2n))];
  now = 200_000;
  await pause(5);
  expect(filters.find(used)).toBeDefined();
  now = 310_000;
  await pause(5);
  expect(filters.find(used)).toBeDefined();
  expect(filters.find(left)).toBeUndefined();
});

it('those of one client go for those of others, and theirs stay', () => {
  const filters = createFilters(new Registry());
  const own = runAs('own', () => [filters.add(ofBlocks(1n)), filters.add(ofBlocks(2n))]);
  const many = runAs('many', () => Array.from({ length: 20_000 }, () => filters.add(ofBlocks(3n))));
  expect(filters.count()).toBe(10_000);
  const later = runAs('later', () => filters.add(ofBlocks(4n)));
  runAs('many', () => filters.add(ofBlocks(3n)));
  expect([...own, later].every((id) => filters.find(id) !== undefined)).toBe(true);
  expect(many.filter((id) => filters.find(id)).length).toBe(9996);
  for (const id of [...own, later]) expect(filters.remove(id)).toBe(true);
});

it('places of those that are too old are there for others', async () => {
  let now = 1;
  const filters = createFilters(new Registry(), () => now);
  runAs('many', () => Array.from({ length: 10_000 }, () => filters.add(ofBlocks(3n))));
  now = 400_000;
  await pause(5);
  const id = runAs('one', () => filters.add(ofBlocks(1n)));
  expect([filters.count(), filters.find(id)?.next]).toEqual([1, 1n]);
});
