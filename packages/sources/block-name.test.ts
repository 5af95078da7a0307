import { expect, it } from 'vitest';
import { nestedBlockPaths, parseBlockName } from './block-name.ts';

it.each([
  ['5.blk', 5n],
  ['5.blk.gz', 5n],
  ['0000000000082297471.blk.zstd', 82_297_471n],
  [`${'5'.padStart(36, '0')}.blk.gz`, 5n],
  ['471.blk.zst', 471n],
  ['5.blk.gz.tmp', null],
  ['x5.blk', null],
  [`${'1'.repeat(37)}.blk`, null],
])('%s is block %s', (name, number) => expect(parseBlockName(name)).toBe(number));

it('a nested layout splits the nineteen digits', () => {
  expect(nestedBlockPaths(26_591_040n)[2]).toBe('0000/0000/0002/6591/040.blk.zstd');
});
