import { expect, test } from 'vitest';
import { watchClock } from './watch-clock.ts';

test('a clock that is set back is said once; one that is set forward, or by less than a second, is not', () => {
  const said: string[] = [];
  let steady = 0;
  let ahead = 1_800_000_000_000;
  const log = { warn: (sentence: string) => void said.push(sentence) } as never;
  const watch = watchClock({ log, clocks: { wall: () => ahead + steady, steady: () => steady } });
  const look = (shiftMs: number): void => {
    ahead += shiftMs;
    steady += 5000;
    watch.look();
  };
  for (const shiftMs of [0, -900, 900, 3_600_000, 0]) look(shiftMs);
  expect(said).toEqual([]);
  look(-3_600_000);
  look(0);
  expect(said).toEqual([expect.stringContaining('was set back by 3600 s, to 2027-01-15T08:00:30.000Z')]);
});
