// Blocks as an attacker could deliver them who keeps the root and moves results, outputs, traces or state changes to other
// transactions: none is believed. Each is refused, or makes the same transactions as the block that the network made.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBlock } from '../../packages/simulated-network/formats/block-file.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { rearranged } from '../../packages/test-support/streams/rearrange-block.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { toBlock } from '../../src/protocol/block-stream/block.ts';
import { type BlockStreamItem, itemKinds, splitBlock } from '../../src/protocol/block-stream/block-item.ts';
import { readBlockTransactions } from '../../src/protocol/block-stream/block-transactions.ts';
import { unpackBlockFile } from '../../src/protocol/block-stream/unpack-block-file.ts';
import { StreamFileError } from '../../src/protocol/stream-file-error.ts';

const read = (path: string) => splitBlock(unpackBlockFile(readFileSync(path)));

let folder: string;
let simulated: BlockStreamItem[][];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rearranged-'));
  await writeNetwork({ folder, seed: 'rearranged', format: 'blocks', blocks: 25, transactions: 12 });
  const blocks = join(folder, 'blocks');
  simulated = readdirSync(blocks).map((name) => read(join(blocks, name)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What becomes of a rearranged block: null = it is refused. */
function transactionsOf(items: readonly BlockStreamItem[]) {
  try {
    const { transactions, problems } = readBlockTransactions(items);
    return { transactions, problems };
  } catch (error) {
    if (error instanceof StreamFileError) return null;
    throw error;
  }
}

function expectNoneBelieved(items: readonly BlockStreamItem[], numRuns: number): { refused: number; same: number } {
  const expected = transactionsOf(items);
  expect(expected).not.toBeNull();
  const root = toBlock(splitBlock(writeBlock(items))).roots.sixteen;
  const counts = { refused: 0, same: 0 };
  fc.assert(
    fc.property(rearranged(items), (variant) => {
      expect(toBlock(splitBlock(writeBlock(variant))).roots.sixteen).toEqual(root);
      const found = transactionsOf(variant);
      counts[found ? 'same' : 'refused'] += 1;
      // The matcher takes ten seconds for all of them, so it only shows a difference.
      if (found && !isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
    }),
    { numRuns },
  );
  return counts;
}

const real = findRealData('blocks');

describe.skipIf(real.isAbsent)(`blocks of real networks${real.hint}`, () => {
  it.each([
    ['consensus-node-0.78', 3],
    ['consensus-node-0.78', 5],
    ['consensus-node-0.78-settled', 391],
    ['consensus-node-0.77', 1],
    ['consensus-node-0.73', 4],
  ])('%s, block %i', (name, number) => {
    const { refused } = expectNoneBelieved(read(join(real.path, name, `${number}.blk.gz`)), 150);
    expect(refused).toBeGreaterThan(0);
  });

  it('each result at the transaction before: the root holds, and the block is refused', () => {
    const items = read(join(real.path, 'consensus-node-0.78', '5.blk.gz'));
    const moved = items.toSorted((left, right) => orderOf(items, left) - orderOf(items, right));
    expect(toBlock(splitBlock(writeBlock(moved))).roots).toEqual(toBlock(splitBlock(writeBlock(items))).roots);
    expect(transactionsOf(moved)).toBeNull();
  });
});

/** Results, outputs and changes come one transaction earlier than they should. */
function orderOf(items: readonly BlockStreamItem[], item: BlockStreamItem): number {
  const place = items.indexOf(item);
  const { signedTransaction, transactionResult, transactionOutput } = itemKinds;
  if (item.kind !== transactionResult && item.kind !== transactionOutput) return place;
  const earlier = items.slice(0, place).filter(({ kind }) => kind === signedTransaction);
  const before = earlier.at(-2);
  return before ? items.indexOf(before) + 0.5 : place;
}

it('blocks of the simulated network: contracts, batches, schedules', () => {
  const counts = simulated.map((items) => expectNoneBelieved(items, 40));
  expect(counts.some(({ same }) => same > 0)).toBe(true);
  expect(counts.every(({ refused }) => refused > 0)).toBe(true);
});
