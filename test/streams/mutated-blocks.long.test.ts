// Blocks that a network signed and that hold what this version doubts, or that were handed on with items moved and
// taken out: the import goes on, and no row says anything that the blocks do not say. `run-mutations` does the same
// with many more.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { writeBlock } from '../../packages/simulated-network/formats/block-file.ts';
import { splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { createLabNetwork } from '../../packages/test-support/proofs/lab-network.ts';
import { signBlocks } from '../../packages/test-support/proofs/sign-blocks.ts';
import { type MutationKind, mutated } from '../../packages/test-support/streams/mutate-block.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type Imported, importFormat } from '../support/tables/format-tables.ts';
import { judgeMutations, mutationKinds, simulateBlocks } from './judge-mutations.ts';

const numRuns = 25;

describe('blocks', () => {
  let blocks: Awaited<ReturnType<typeof simulateBlocks>>;
  beforeAll(async () => {
    blocks = await simulateBlocks({ seed: 'mutated', stateForm: 'saving', blocks: 8, transactions: 12 });
  });

  test.each(mutationKinds)('%s: each is read, and says nothing false', (kind) => {
    const seen = { variants: 0, shown: 0, missing: 0, doubts: 0 };
    for (const [index, block] of blocks.entries()) {
      const { counts, findings } = judgeMutations(block, kind, { numRuns, seed: index });
      expect(findings).toEqual([]);
      for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name] += counts[name];
    }
    expect(seen.variants).toBe(8 * numRuns);
    expect(seen.shown).toBeGreaterThan(seen.missing);
    expect(seen.missing).toBeGreaterThan(0);
    expect(seen.doubts).toBeGreaterThan(0);
  });
});

describe('an import of such blocks', () => {
  const blockCount = 20;
  let folder: string;
  let whole: Buffer[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mutated-import-'));
    await writeNetwork({ folder, seed: 'mutated import', format: 'blocks', blocks: blockCount, transactions: 12 });
    whole = readBlocks(join(folder, 'blocks'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** In the place of those that the network made. */
  function importBlocks(blocks: readonly Buffer[]): Promise<Imported> {
    const files = join(folder, 'blocks');
    for (const [number, name] of readdirSync(files).entries())
      writeFileSync(join(files, name), gzipSync(blocks[number]!));
    return importFormat(folder);
  }

  /** The first one stays: it publishes the ledger id. */
  function mutateAll(kindOf: (number: number) => MutationKind): Buffer[] {
    return whole.map((bytes, number) => {
      if (number === 0) return bytes;
      const [variant] = fc.sample(mutated(splitBlock(bytes), kindOf(number)), { numRuns: 1, seed: number });
      return writeBlock(variant!.items);
    });
  }

  it('handed on in another form goes on to its end, and has rows of the whole blocks only', async () => {
    const truth = await importBlocks(whole);
    expect([truth.problems, truth.covered]).toEqual([[], blockCount]);
    const found = await importBlocks(mutateAll((number) => (number % 2 === 0 ? 'rearranged' : 'redacted')));
    expect([found.covered, found.files]).toEqual([blockCount, truth.files]);
    expectPartOf(found, truth);
  });

  it('that the network signed goes on to its end, without what has no result', async () => {
    const network = createLabNetwork({ weights: [2n, 1n, 1n] });
    const truth = await importBlocks(signBlocks(whole, { network }));
    expect([truth.problems, truth.covered]).toEqual([[], blockCount]);
    const found = await importBlocks(
      signBlocks(
        mutateAll(() => 'withoutResult'),
        { network },
      ),
    );
    expect(found.covered).toBe(blockCount);
    expectPartOf(found, truth);
    expect(found.dump.transaction!.length).toBeGreaterThan(truth.dump.transaction!.length / 2);
    const strange = await importBlocks(
      signBlocks(
        mutateAll(() => 'content'),
        { network },
      ),
    );
    expect([strange.covered, strange.files.length]).toEqual([blockCount, blockCount]);
  });
});

function expectPartOf(found: Imported, truth: Imported): void {
  expect(found.problems.length).toBeGreaterThan(0);
  expect(found.dump.import_doubt!.length).toBeGreaterThan(0);
  for (const table of momentTables) {
    const known = new Set(truth.dump[table]);
    expect(known.size).toBeGreaterThan(0);
    // Each row, or one with nothing in the place of what is not known.
    const others = found.dump[table]!.filter((line) => !known.has(line)).map((line) => JSON.parse(line));
    const byTime = Map.groupBy(
      truth.dump[table]!.map((line) => JSON.parse(line)),
      timeOf,
    );
    for (const row of others) {
      const rows = byTime.get(timeOf(row)) ?? [];
      expect([table, row, rows.some((one) => isPartOf(row, one))]).toEqual([table, row, true]);
    }
  }
}

/** Rows of single transactions, which follow from them alone. */
const momentTables = [
  'transaction',
  'crypto_transfer',
  'token_transfer',
  'topic_message',
  'contract_action',
  'contract_state_change',
];

type Row = Record<string, unknown>;

function timeOf(row: Row): unknown {
  return row.consensus_timestamp;
}

/** Columns that count what else its transaction has. */
const counts: ReadonlySet<string> = new Set(['index', 'entity_id', 'nft_transfer', 'itemized_transfer']);

function isPartOf(row: Row, whole: Row): boolean {
  return Object.entries(row).every(
    ([name, value]) => value === null || counts.has(name) || JSON.stringify(value) === JSON.stringify(whole[name]),
  );
}
