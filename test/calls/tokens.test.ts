// Tokens as calls and as REST show them at the same block. A longer run: test/calls/run-tokens.ts.

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { compareTokens } from './compare-tokens.ts';
import { type KnownMoments, openKnownMoments } from './known-moments.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let ledger: KnownMoments;
beforeAll(async () => {
  ledger = await openKnownMoments({
    seed: 'tokens',
    blocks: isLong ? 45 : 30,
    transactionsPerBlock: isLong ? 60 : 40,
    moments: 30,
  });
});
afterAll(() => ledger?.close());

it('answers calls as REST answers, now and at old blocks', async () => {
  const count = isLong ? 1400 : 500;
  const { differences, asked, past, byName } = await compareTokens(ledger, 'tokens', count);
  expect(differences).toEqual([]);
  expect(asked).toBe(count);
  expect(past).toBeGreaterThan(count / 3);
  expect(ledger.moments.length).toBeGreaterThan(20);
  expect(Object.keys(byName)).toHaveLength(27);
});
