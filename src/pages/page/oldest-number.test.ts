import { expect, it } from 'vitest';
import { createOldestNumber } from './oldest-number.ts';

it('is asked for once a list, and again where nothing was found or the question failed', async () => {
  const find = createOldestNumber();
  const asked: string[] = [];
  const ask = (list: string, answer: bigint | null) =>
    find(list, async () => {
      asked.push(list);
      return answer;
    });
  expect(await ask('blocks', 3n)).toBe(3n);
  expect(await ask('blocks', 9n)).toBe(3n);
  expect(await ask('messages', null)).toBe(null);
  expect(await ask('messages', 1n)).toBe(1n);
  const failed = find('others', async () => {
    throw new Error('no database');
  });
  await expect(failed).rejects.toThrow('no database');
  expect(await ask('others', 7n)).toBe(7n);
  expect(asked).toEqual(['blocks', 'messages', 'messages', 'others']);
});
