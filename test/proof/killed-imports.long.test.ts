import { expect, test } from 'vitest';
import { rehearseKills } from './rehearse-kills.ts';

// Eight starts of the program, or a few more.
test('killed at random moments and stopped where it must, an import ends as one without kills', {
  timeout: 300_000,
}, async () => {
  const { seconds: _, kinds, ...report } = await rehearseKills({ blocks: 120, kills: 3, seed: 'suite' });
  expect(report).toEqual({ kills: 3, problems: [], differences: [], origin: 'selfDeclared' });
  expect(Object.values(kinds).reduce((sum, count) => sum + count, 0)).toBe(120);
  expect(kinds.signed).toBeGreaterThan(1);
});
