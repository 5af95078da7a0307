import { expect, it } from 'vitest';
import { createTurns } from './take-turns.ts';

it('lets one go on at a time, in order, with a look at everything else between two', async () => {
  const takeTurn = createTurns();
  const seen: string[] = [];
  const go = async (name: string): Promise<void> => {
    await takeTurn();
    seen.push(name);
  };
  const looks: Promise<void>[] = [];
  const look = (): void => {
    seen.push('look');
    if (seen.length < 9) looks.push(new Promise((resolve) => setImmediate(() => resolve(look()))));
  };
  looks.push(new Promise((resolve) => setImmediate(() => resolve(look()))));
  await Promise.all([go('a'), go('b'), go('c').then(() => go('e')), go('d')]);
  for (const one of looks) await one;
  const pages = seen.filter((one) => one !== 'look');
  expect(pages).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const [at, one] of seen.entries()) if (one !== 'look' && at > 0) expect(seen[at - 1]).toBe('look');
});

it('goes on after everyone had a turn', async () => {
  const takeTurn = createTurns();
  await takeTurn();
  await takeTurn();
  expect(await Promise.all([takeTurn(), takeTurn()])).toHaveLength(2);
  expect(await takeTurn()).toBeUndefined();
});
