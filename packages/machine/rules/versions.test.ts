import { expect, test } from 'vitest';
import { forkNames } from './forks.ts';
import { rulesAtMainnetBlock, rulesOf, versionNames } from './versions.ts';

const forks = versionNames.map((name) => rulesOf(name).fork.name);

test('each fork is that of a version of the ledger, in their order', () => {
  expect([...new Set(forks)]).toEqual(forkNames);
});

test('a version has its rules from its first block of mainnet on', () => {
  expect(rulesAtMainnetBlock(44_029_065n).fork.name).toBe('london');
  expect(rulesAtMainnetBlock(44_029_066n).fork.name).toBe('paris');
});
