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
      for (let item = 0; item < count; item++) line.add(item, 'a');
    },
    pass(ms: number): void {
      now += ms;
    },
    /** Takes one each time so many ms have passed, and keeps it as long as it is. */
    turns(count: number, ms: number): void {
      for (let turn = 0; turn < count; turn++) {
        now += ms;
        line.take('a');
        line.add(0, 'a');
      }
    },
  };
}

test('who comes first is served first', () => {
  const { line } = makeLine();
  for (const item of [1, 2, 3]) line.add(item, 'a');
  expect([line.first()?.item, line.take('a'), line.take('a'), line.take('a'), line.first()]).toEqual([
    1,
    1,
    2,
    3,
    undefined,
  ]);
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
  expect(line.hasRoom('a')).toBe(true);
  add(100);
  expect(line.hasRoom('a')).toBe(false);
  expect(line.size()).toBe(alwaysInFlight);
});

test('where nothing moves, the first one tells how long it is', () => {
  const { line, add, turns, pass } = makeLine({ maxExpectedWaitMs: 400 });
  add(alwaysInFlight);
  turns(100, 2);
  expect(line.hasRoom('a')).toBe(true);
  pass(500);
  expect(line.hasRoom('a')).toBe(false);
});

test('times without anyone waiting count for nothing', () => {
  const { line, add, turns, pass } = makeLine({ maxExpectedWaitMs: 400 });
  add(alwaysInFlight + 10);
  turns(100, 2);
  while (line.size() > 0) line.take('a');
  pass(60_000);
  add(alwaysInFlight + 10);
  line.take('a');
  expect(line.hasRoom('a')).toBe(true);
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

/** Takes what is first, for as long as something waits. */
function takeAll(line: WaitingLine<number>, mayGoOn?: (client: string) => boolean): number[] {
  const taken: number[] = [];
  for (let next = line.first(mayGoOn); next; next = line.first(mayGoOn)) taken.push(line.take(next.client));
  return taken;
}

test('clients take turns', () => {
  const { line } = makeLine();
  for (const item of [1, 2, 3]) line.add(item, 'many');
  line.add(10, 'one');
  line.add(20, 'two');
  line.add(21, 'two');
  expect(takeAll(line)).toEqual([1, 10, 20, 2, 21, 3]);
});

test('who may not go on is passed over, and keeps its turn', () => {
  const { line } = makeLine();
  for (const item of [1, 2]) line.add(item, 'held');
  for (const item of [10, 11]) line.add(item, 'free');
  expect(takeAll(line, (client) => client !== 'held')).toEqual([10, 11]);
  expect(line.size()).toBe(2);
  expect(takeAll(line)).toEqual([1, 2]);
});

test('a client waits for its own items, and for as many of each other', () => {
  const { line, pass } = makeLine({ maxExpectedWaitMs: 100 });
  for (let item = 0; item < alwaysInFlight + 200; item++) line.add(item, 'many');
  for (let turn = 0; turn < 50; turn++) {
    pass(2);
    line.take('many');
  }
  expect(line.hasRoom('many')).toBe(false);
  expect(line.hasRoom('one')).toBe(true);
});

test('where there is no room, who has least takes a place from who has most', () => {
  const { line, add, pass, refused } = makeLine({ maxExpectedWaitMs: 100 });
  add(alwaysInFlight + 1);
  pass(200);
  expect([line.hasRoom('a'), line.hasRoom('one')]).toEqual([false, true]);
  line.add(99, 'one');
  expect(refused).toEqual([[alwaysInFlight, queueIsFull]]);
  for (let item = 0; item < alwaysInFlight; item++) line.add(item, 'other');
  expect(refused.length).toBe(1 + alwaysInFlight);
  expect(takeAll(line).includes(99)).toBe(true);
});

test('of those who have waited for too long, the client with most loses first', () => {
  const { line, pass, refused } = makeLine({ maxExpectedWaitMs: 100 });
  line.add(99, 'one');
  for (let item = 0; item < alwaysInFlight + 4; item++) line.add(item, 'many');
  pass(101);
  line.refuseLate();
  expect(refused.map(([item]) => item)).toEqual([0, 1, 2, 3, 4]);
});
