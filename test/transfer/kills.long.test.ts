import { expect, test, vi } from 'vitest';
import { killTransfers } from './kill-transfers.ts';

// Programs are started and killed; run-kills.ts does it more often.
vi.setConfig({ testTimeout: 300_000 });

test('killed at any moment, export and bootstrap go on, and no row is lost or doubled', async () => {
  const { kills, different } = await killTransfers({ kills: 2, blocks: 40, seed: 7 });
  expect(different).toEqual([]);
  expect(kills).toBe(4);
});
