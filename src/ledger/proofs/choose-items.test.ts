import { expect, it } from 'vitest';
import { createSlices } from '../../../packages/kit/slices.ts';
import { chooseItems } from './choose-items.ts';
import type { ProvedBlock } from './open-proved-block.ts';
import { packSubtree } from './pack-subtree.ts';

const bytesOfMiB = 1024 * 1024;

/** One transaction whose state changes have these sizes. */
async function blockOf(changed: readonly number[]): Promise<ProvedBlock> {
  const pack = (sizes: readonly number[]) =>
    packSubtree(
      sizes.map((size) => ({ bytes: Buffer.alloc(size, 1), leaf: null })),
      createSlices(),
    );
  return {
    form: 'sixteen',
    timestamp: '',
    hashes: [],
    parts: await Promise.all([[], [100], [20, 200], changed, []].map(pack)),
    transactions: new Map([[7n, { input: 0, result: 1, outputs: [], traces: [], isInner: false }]]),
    changes: new Map([[7n, changed.map((_, place) => place)]]),
    hasBatch: false,
    wholeBytes: 320,
    sizeBytes: 0,
  };
}

const ofMessage = { of: 'topicMessage', timestamp: 7n } as const;

it('shows the state changes of a message one by one, up to 8 MiB of them', async () => {
  const shown = chooseItems(await blockOf([4 * bytesOfMiB, 4 * bytesOfMiB]), ofMessage, null);
  expect(shown).toEqual({
    single: [
      ['stateChanges', 0],
      ['stateChanges', 1],
    ],
    whole: ['inputs', 'outputs'],
  });
  expect(chooseItems(await blockOf(Array(1000).fill(1)), ofMessage, null).single.length).toBe(1000);
});

it.each([
  ['larger ones', [4 * bytesOfMiB, 4 * bytesOfMiB + 1], '2 items of 8388609 bytes'],
  ['more of them', Array(1001).fill(1), '1001 items of 1001 bytes'],
])('refuses %s, and says the bound', async (_name, sizes, found) => {
  const block = await blockOf(sizes);
  const bound = 'and a document shows at most 1000 of 8388608 bytes one by one';
  expect(() => chooseItems(block, ofMessage, null)).toThrow(
    `The transaction has ${found} beside all of inputs and outputs, ${bound}`,
  );
  // Nothing of them is shown.
  expect(chooseItems(block, { of: 'transaction', timestamp: 7n }, 'single').single.length).toBe(3);
});
