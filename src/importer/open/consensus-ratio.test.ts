import { describe, expect, it } from 'vitest';
import { oneThird, parseConsensusRatio, requiredStake } from './consensus-ratio.ts';

describe('the consensus ratio', () => {
  it.each([
    ['1/3', 100n, 34n],
    ['1/3', 99n, 33n],
    ['0.5', 7n, 4n],
    ['0.33333333333333333333333333333333', 3n * 10n ** 32n, 99_999_999_999_999_999_999_999_999_999_999n],
    ['2/3', 3n, 2n],
    ['1', 5n, 5n],
    ['1.0', 5n, 5n],
  ])('%s of %s is at least %s', (text, total, required) => {
    expect(requiredStake(total, parseConsensusRatio(text)!)).toBe(required);
  });

  it.each(['0', '0.0', '0/3', '4/3', '1/0', '1.1', '-1', '', 'a third', '1/3/5'])('%j is none', (text) =>
    expect(parseConsensusRatio(text)).toBeNull(),
  );

  it('is one third unless said', () => expect(requiredStake(10n, oneThird)).toBe(4n));
});
