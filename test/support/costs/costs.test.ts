// What `npm test` may cost, by what the files cost when they were measured last.
import { expect, it } from 'vitest';
import { dearFiles, maxProcessorSeconds, readCosts } from './costs.ts';

it('no file of npm test takes longer than what test:long is for', () => {
  const tooLong = Object.entries(readCosts())
    .filter(([path, { processor }]) => !path.endsWith('.long.test.ts') && processor > maxProcessorSeconds)
    .filter(([path]) => !Object.hasOwn(dearFiles, path))
    .map(
      ([path, { processor }]) =>
        `${path}: ${processor} s; name it .long.test.ts, or make it cheaper and measure it again`,
    );
  expect(tooLong).toEqual([]);
});

it('the exceptions are files that are measured', () => {
  const costs = readCosts();
  expect(Object.keys(dearFiles).filter((path) => costs[path] === undefined)).toEqual([]);
});
