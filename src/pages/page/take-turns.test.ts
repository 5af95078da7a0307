import { expect, it } from 'vitest';
import { createTurns } from './take-turns.ts';

/** What goes on in which order; each takes so long. `looks`: those of everything else, one a turn of the loop. */
async function goOn(names: readonly string[], tookMs: number): Promise<string[]> {
  let now = 0;
  const takeTurn = createTurns(() => now);
  const seen: string[] = [];
  let isOver = false;
  const look = (): void => {
    seen.push('look');
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const go = async (name: string): Promise<void> => {
    await takeTurn();
    seen.push(name);
    now += tookMs;
  };
  const [first, ...others] = names;
  await Promise.all([go(first!).then(() => go('again')), ...others.map(go)]);
  isOver = true;
  return seen;
}

it('lets what takes long go on one at a time, in order, with a look at everything else between two', async () => {
  const seen = await goOn(['a', 'b', 'c', 'd'], 1.5);
  expect(seen).toEqual(['look', 'a', 'look', 'b', 'look', 'c', 'look', 'd', 'look', 'again']);
});

it('lets what is short go on in a row, for a millisecond, and never twice before a look', async () => {
  const seen = await goOn(['a', 'b', 'c', 'd', 'e'], 0.4);
  expect(seen).toEqual(['look', 'a', 'b', 'c', 'look', 'd', 'e', 'again']);
  expect(await goOn(['a', 'b'], 0.4)).toEqual(['look', 'a', 'b', 'look', 'again']);
});

it('goes on after everyone had a turn', async () => {
  const takeTurn = createTurns();
  await takeTurn();
  await takeTurn();
  expect(await Promise.all([takeTurn(), takeTurn()])).toHaveLength(2);
  expect(await takeTurn()).toBeUndefined();
});
