import { expect, it } from 'vitest';
import type { Answer } from '../../../web-server/route.ts';
import { emptyState } from '../../status-state.ts';
import { createRenderedAnswers } from './rendered-answers.ts';

const answer = (body: string): Answer => ({ status: 200, body });

it('an answer is made once for each state and address', () => {
  let state = emptyState();
  let made = 0;
  const answers = createRenderedAnswers(() => state);
  const ask = (address: string): string => {
    const make = (): Answer => {
      made += 1;
      return answer(`${address} ${made}`);
    };
    return answers.find(address, make)!.body;
  };
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual(['a 1', 'a 1', 'b 2', 'a 1']);
  state = emptyState();
  expect([ask('a'), ask('b'), ask('b')]).toEqual(['a 3', 'b 4', 'b 4']);
});

it('keeps nothing of addresses without anything, and only so many others', () => {
  const state = emptyState();
  const answers = createRenderedAnswers(() => state);
  expect(answers.find('x', () => null)).toBeNull();
  expect(answers.find('x', () => answer('now there'))!.body).toBe('now there');
  for (let index = 0; index < 1000; index += 1) answers.find(`${index}`, () => answer('first'));
  expect(answers.find('0', () => answer('again'))!.body).toBe('first');
  expect(answers.find('999', () => answer('again'))!.body).toBe('again');
});
