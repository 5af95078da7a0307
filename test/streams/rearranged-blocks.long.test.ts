// Blocks as an attacker could deliver them who keeps the root and moves results, outputs, traces or state changes to
// other
// transactions: none is believed. Each makes the same transactions as the block that the network made, or fewer, or
// parts of them.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBlock } from '../../packages/simulated-network/formats/block-file.ts';
import { toBlock } from '../../packages/streams/block-stream/block.ts';
import { type BlockStreamItem, itemKinds, splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import { judgeReading, readForJudge } from '../../packages/test-support/streams/judge-block.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { rearranged } from '../../packages/test-support/streams/rearrange-block.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';

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

type Counts = { variants: number; whole: number; shown: number; missing: number };

/** Each variant says the same as the block, or less. */
function expectNoneBelieved(items: readonly BlockStreamItem[], numRuns: number): Counts {
  const truth = readForJudge(items);
  expect(truth.doubts).toBe(0);
  const root = toBlock(splitBlock(writeBlock(items))).roots.sixteen;
  const counts: Counts = { variants: 0, whole: 0, shown: 0, missing: 0 };
  fc.assert(
    fc.property(rearranged(items), (variant) => {
      expect(toBlock(splitBlock(writeBlock(variant))).roots.sixteen).toEqual(root);
      const found = readForJudge(variant);
      const verdict = judgeReading(found, truth);
      expect(verdict.false).toEqual([]);
      const isWhole = verdict.missing + verdict.partial === 0;
      if (!isWhole) expect(found.doubts).toBeGreaterThan(0);
      counts.variants += 1;
      counts.whole += isWhole ? 1 : 0;
      counts.shown += verdict.shown;
      counts.missing += verdict.missing;
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
    const { variants, shown } = expectNoneBelieved(read(join(real.path, name, `${number}.blk.gz`)), 150);
    expect(shown).toBeGreaterThan(variants);
  });

  it('each result at the transaction before: the root holds, and none of them is believed', () => {
    const items = read(join(real.path, 'consensus-node-0.78', '5.blk.gz'));
    const moved = items.toSorted((left, right) => orderOf(items, left) - orderOf(items, right));
    expect(toBlock(splitBlock(writeBlock(moved))).roots).toEqual(toBlock(splitBlock(writeBlock(items))).roots);
    const [found, truth] = [readForJudge(moved), readForJudge(items)];
    expect(found.doubts).toBeGreaterThan(0);
    expect(judgeReading(found, truth)).toMatchObject({ shown: 1, missing: truth.items.size - 1, false: [] });
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
  expect(counts.some(({ whole }) => whole > 0)).toBe(true);
  expect(counts.some(({ whole, variants }) => whole < variants)).toBe(true);
});
