import { expect, test } from 'vitest';
import { alwaysInFlight, createWaitingLine, queueIsFull, type WaitingLine } from './waiting-line.ts';

function makeLine({ maxExpectedWaitMs = 100, maxWaitMs = 10_000, isSilent = false } = {}) {
  let now = 0;
  const refused: [item: number, code: string | undefined][] = [];
  const line: WaitingLine<number> = createWaitingLine<number>({
    maxExpectedWaitMs,
    maxWaitMs,
    refuse: (item, error) => refused.push([item, (error as Error & { code?: string }).code]),
    countInFlight: (): number => line.size(),
    isSilent: () => isSilent,
    clock: () => now,
  });
  return {
    line,
    refused,
    add(count: number): void {
      for (let item = 0; item < count; item++) line.add(item);
    },
    pass(ms: number): void {
      now += ms;
    },
    /** Takes one each time so many ms have passed, and keeps it as long as it is. */
    turns(count: number, ms: number): void {
      for (let turn = 0; turn < count; turn++) {
        now += ms;
        line.take();
        line.add(0);
      }
    },
  };
}

test('who comes first is served first', () => {
  const { line } = makeLine();
  for (const item of [1, 2, 3]) line.add(item);
  expect([line.first(), line.take(), line.take(), line.take(), line.first()]).toEqual([1, 1, 2, 3, undefined]);
});

test('there is room for as many as can be expected to be served in time', () => {
  const { line, add, turns, refused } = makeLine({ maxExpectedWaitMs: 100 });
  add(alwaysInFlight);
  turns(100, 1);
  // One a ms: room for about a hundred.
  add(200);
  expect(line.size()).toBeGreaterThan(95);
  expect(line.size()).toBeLessThan(106);
  expect(new Set(refused.map(([, code]) => code))).toEqual(new Set([queueIsFull]));
});

test('so many are always taken in', () => {
  const { line, add, turns } = makeLine({ maxExpectedWaitMs: 100 });
  add(10);
  turns(100, 50);
  expect(line.hasRoom()).toBe(true);
  add(100);
  expect(line.hasRoom()).toBe(false);
  expect(line.size()).toBe(alwaysInFlight);
});

test('where nothing moves, the first one tells how long it is', () => {
  const { line, add, turns, pass } = makeLine({ maxExpectedWaitMs: 400 });
  add(alwaysInFlight);
  turns(100, 2);
  expect(line.hasRoom()).toBe(true);
  pass(500);
  expect(line.hasRoom()).toBe(false);
});

test('times without anyone waiting count for nothing', () => {
  const { line, add, turns, pass } = makeLine({ maxExpectedWaitMs: 400 });
  add(alwaysInFlight + 10);
  turns(100, 2);
  while (line.size() > 0) line.take();
  pass(60_000);
  add(alwaysInFlight + 10);
  line.take();
  expect(line.hasRoom()).toBe(true);
});

test('who has waited for too long leaves, in the order of coming, while many others wait', () => {
  const { line, add, pass, refused } = makeLine({ maxExpectedWaitMs: 100, isSilent: true });
  add(alwaysInFlight + 3);
  pass(50);
  add(2);
  line.refuseLate();
  expect(refused).toEqual([]);
  pass(51);
  line.refuseLate();
  expect(refused).toEqual([0, 1, 2, 3, 4].map((item) => [item, queueIsFull]));
  expect(line.size()).toBe(alwaysInFlight);
});

test('nothing waits for longer than the limit, however few they are', () => {
  const { line, add, pass, refused } = makeLine({ maxExpectedWaitMs: 100, maxWaitMs: 200 });
  add(2);
  pass(150);
  add(1);
  pass(60);
  line.refuseLate();
  expect(refused).toEqual([
    [0, 'ETIMEDOUT'],
    [1, 'ETIMEDOUT'],
  ]);
  line.refuseAll(new Error('lost'));
  expect(refused.at(-1)).toEqual([0, undefined]);
  expect(line.size()).toBe(0);
});
