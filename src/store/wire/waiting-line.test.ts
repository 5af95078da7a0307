import { expect, test } from 'vitest';
import { createWaitingLine } from './waiting-line.ts';

function makeLine() {
  let now = 0;
  const line = createWaitingLine<number>(() => now);
  return {
    line,
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

test('the wait that is to be expected follows the time between turns', () => {
  const { line, turns } = makeLine();
  expect(line.expectedMs()).toBe(0);
  for (let i = 0; i < 20; i++) line.add(i);
  turns(100, 2);
  expect(line.expectedMs()).toBeCloseTo(40, 0);
  turns(100, 8);
  expect(line.expectedMs()).toBeCloseTo(160, 0);
});

test('where nothing moves, the first one tells how long it is', () => {
  const { line, turns, pass } = makeLine();
  for (let i = 0; i < 20; i++) line.add(i);
  turns(100, 2);
  pass(500);
  // It came 19 turns before the pause.
  expect(line.expectedMs()).toBe(538);
});

test('times without anyone waiting count for nothing', () => {
  const { line, turns, pass } = makeLine();
  for (let i = 0; i < 20; i++) line.add(i);
  turns(100, 2);
  while (line.size() > 0) line.take();
  pass(60_000);
  for (let i = 0; i < 20; i++) line.add(i);
  line.take();
  // Twenty turns took no time, and each counts for a tenth.
  expect(line.expectedMs()).toBeCloseTo(19 * 2 * 0.9 ** 20, 2);
});

test('who has waited for too long leaves, in the order of coming', () => {
  const { line, pass } = makeLine();
  for (const item of [1, 2, 3]) {
    line.add(item);
    pass(10);
  }
  expect(line.waitedMs()).toBe(30);
  expect(line.drop(20, 0)).toEqual([]);
  expect(line.drop(20, 1)).toEqual([1]);
  expect(line.drop(20)).toEqual([2]);
  expect(line.waitedMs()).toBe(10);
  expect(line.drop()).toEqual([3]);
  expect(line.drop()).toEqual([]);
  expect(line.waitedMs()).toBe(0);
});
