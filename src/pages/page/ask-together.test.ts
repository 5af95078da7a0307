import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askTogether } from './ask-together.ts';

test('answers are in the order of the questions, whichever comes first', async () => {
  const slow = turn().then(() => 'slow');
  expect(await askTogether([slow, Promise.resolve(2n), null])).toEqual(['slow', 2n, null]);
});

test('of several refusals the first question’s is thrown, though it comes last, and all have ended by then', async () => {
  const ended: string[] = [];
  const refuse = async (name: string, turns: number): Promise<never> => {
    for (let left = turns; left > 0; left--) await turn();
    ended.push(name);
    throw new Error(name);
  };
  const answered = turn().then(() => ended.push('answered'));
  await expect(askTogether([refuse('first', 3), refuse('second', 0), answered])).rejects.toThrow('first');
  expect(ended).toEqual(['second', 'answered', 'first']);
});
