// Tokens as calls and as REST show them at the same block. A longer run: test/calls/run-tokens.ts.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { compareTokens } from './compare-tokens.ts';
import { type KnownMoments, openKnownMoments } from './known-moments.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let ledger: KnownMoments;
beforeAll(async () => {
  ledger = await openKnownMoments({ seed: 'tokens', blocks: 45, transactionsPerBlock: 60, moments: 30 });
});
afterAll(() => ledger?.close());

it('answers calls as REST answers, now and at old blocks', async () => {
  const { differences, asked, past, byName } = await compareTokens(ledger, 'tokens', 1400);
  expect(differences).toEqual([]);
  expect(asked).toBe(1400);
  expect(past).toBeGreaterThan(500);
  expect(ledger.moments.length).toBeGreaterThan(20);
  expect(Object.keys(byName)).toHaveLength(27);
});
