import { expect, it, vi } from 'vitest';
import type { AskedKind, Outcome } from './asked-kinds.ts';
import { inTurn, startLoad } from './mixed-load.ts';

const kind = (name: string, weight: number, ask: () => Promise<Outcome> = async () => 'right'): AskedKind => ({
  name,
  weight,
  ask,
});

it('asks each kind as often as its weight says, evenly spread', () => {
  const next = inTurn([kind('much', 6), kind('some', 3), kind('rare', 0.5)]);
  const names = Array.from({ length: 190 }, () => next().kind.name);
  const counts = ['much', 'some', 'rare'].map((name) => names.filter((one) => one === name).length);
  expect(counts).toEqual([120, 60, 10]);
  // In any twenty there is each of the two that come often.
  for (let at = 0; at + 20 <= names.length; at++) expect(new Set(names.slice(at, at + 20)).size).toBeGreaterThan(1);
  const again = inTurn([kind('one', 1)]);
  expect([again().turn, again().turn]).toEqual([1, 2]);
});

it('counts outcomes by kind, sends on while answers are late, and says what it could not send', async () => {
  let release = () => {};
  const late = new Promise<Outcome>((resolve) => {
    release = () => resolve('right');
  });
  const outcomes: Outcome[] = ['refused', 'cut', { wrong: 'another answer' }];
  const load = startLoad(
    [kind('late', 1, () => late), kind('mixed', 1, async () => outcomes.shift() ?? 'right')],
    2000,
  );
  await vi.waitFor(() => expect(load.take().notSent).toBeGreaterThan(0));
  release();
  await load.stop();
  const { kinds } = load.take();
  expect(kinds.get('late')!.right).toBeGreaterThan(10);
  expect(kinds.get('late')!.ms).toHaveLength(kinds.get('late')!.right);
});
