import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRepeatLimit } from './limit-repeats.ts';

test('the first messages of a period are said, the others counted', () => {
  let time = 0;
  const limit = createRepeatLimit<string>({ periodMs: 60, now: () => time });
  expect(limit.admit('a', 'one', 2)).toEqual({ unsaid: 0 });
  expect(limit.admit('a', 'two', 2)).toEqual({ unsaid: 0 });
  expect(limit.admit('a', 'three', 2)).toBeNull();
  expect(limit.admit('b', 'other', 2)).toEqual({ unsaid: 0 });
  expect(limit.overdue()).toEqual([]);
  time = 60;
  expect(limit.admit('a', 'four', 2)).toEqual({ unsaid: 1 });
});

test('what comes to an end within a period is reported when the period is over, once', () => {
  let time = 0;
  const limit = createRepeatLimit<number>({ periodMs: 60, now: () => time });
  for (let message = 0; message < 5; message += 1) limit.admit('a', message, 1);
  time = 61;
  expect(limit.overdue()).toEqual([{ message: 4, unsaid: 3 }]);
  expect(limit.overdue()).toEqual([]);
  expect(limit.admit('a', 5, 1)).toBeNull();
});

test('every message is said or counted, and of one kind no more is said than the limit', () => {
  const step = fc.record({ kind: fc.constantFrom('a', 'b'), waitMs: fc.nat(40), asks: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let time = 0;
      let said = 0;
      let counted = 0;
      const limit = createRepeatLimit<string>({ periodMs: 60, now: () => time });
      const take = (): void => {
        for (const { unsaid } of limit.overdue()) {
          said += 1;
          counted += unsaid;
        }
      };
      for (const { kind, waitMs, asks } of steps) {
        time += waitMs;
        if (asks) take();
        const admitted = limit.admit(kind, kind, 1);
        if (admitted) {
          said += 1;
          counted += admitted.unsaid;
        }
      }
      time += 60;
      take();
      time += 60;
      take();
      expect(said + counted).toBe(steps.length);
      expect(said).toBeLessThanOrEqual(2 * (Math.floor(time / 60) + 1));
    }),
  );
});
