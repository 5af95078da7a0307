import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { createWaitTeller } from './tell-waiting.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('what is awaited is said after a minute, then ever more seldom, until something comes', () => {
  const said: string[] = [];
  const log = { info: (_fields: object, message: string) => said.push(message) } as unknown as Logger;
  const teller = createWaitTeller(log);
  vi.advanceTimersByTime(59_000);
  teller.onBlock({ number: 41n, consensusEnd: 1_657_701_971_000_000_000n });
  vi.advanceTimersByTime(59_000);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(7 * 60_000);
  expect(said).toEqual(
    Array(3).fill(
      'The import waits for block 42, as a record file later than 2022-07-13T08_46_11.000000000Z or as a block file',
    ),
  );
  teller.close();
  vi.advanceTimersByTime(60 * 60_000);
  expect(said).toHaveLength(3);
});

test('what fails and is tried again is what is awaited, until it goes on or is tried no more', () => {
  const said: string[] = [];
  const log = { info: (_fields: object, message: string) => said.push(message) } as unknown as Logger;
  const teller = createWaitTeller(log);
  teller.onBlock({ number: 41n, consensusEnd: 1_657_701_971_000_000_000n });
  vi.advanceTimersByTime(50_000);
  teller.onRetry('the database', 30_000);
  vi.advanceTimersByTime(10_000);
  expect(said).toEqual(['The import waits for the database']);
  // It answers again, and no block comes.
  vi.advanceTimersByTime(2 * 60_000);
  expect(said.at(-1)).toMatch(/^The import waits for block 42, /);
  teller.onRetry('the database', 30_000);
  teller.onBlock({ number: 42n, consensusEnd: 1_657_701_973_000_000_000n });
  vi.advanceTimersByTime(60_000);
  expect(said.at(-1)).toMatch(/^The import waits for block 43, /);
  teller.close();
});
