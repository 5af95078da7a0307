// Blocks that a network signed and that hold what this version doubts, or that were handed on with items moved and taken out: the import
// goes on, and no row says anything that the blocks do not say. `run-mutations` does the same with many more.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { writeBlock } from '../../packages/simulated-network/formats/block-file.ts';
import { mutated } from '../../packages/test-support/streams/mutate-block.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { splitBlock } from '../../src/protocol/block-stream/block-item.ts';
import { unpackBlockFile } from '../../src/protocol/block-stream/unpack-block-file.ts';
import { importFormat } from '../support/tables/format-tables.ts';
import { judgeMutations, mutationKinds, simulateBlocks } from './judge-mutations.ts';

describe('blocks', () => {
  let blocks: Awaited<ReturnType<typeof simulateBlocks>>;
  beforeAll(async () => {
    blocks = await simulateBlocks({ seed: 'mutated', stateForm: 'saving', blocks: 8, transactions: 12 });
  });

  test.each(mutationKinds)('%s: each is read, and says nothing false', (kind) => {
    const seen = { variants: 0, shown: 0, missing: 0, doubts: 0 };
    for (const [index, block] of blocks.entries()) {
      const { counts, findings } = judgeMutations(block, kind, { numRuns: 25, seed: index });
      expect(findings).toEqual([]);
      for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name] += counts[name];
    }
    expect(seen.variants).toBe(200);
    expect(seen.shown).toBeGreaterThan(seen.missing);
    expect(seen.missing).toBeGreaterThan(0);
    expect(seen.doubts).toBeGreaterThan(0);
  });
});

describe('an import of such blocks', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mutated-import-'));
    await writeNetwork({ folder, seed: 'mutated import', format: 'blocks', blocks: 20, transactions: 12 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('goes on to its end: blocks are verified, rows are those of the whole blocks, and what is missing is counted', async () => {
    const truth = await importFormat(folder);
    expect(truth.problems).toEqual([]);
    const files = join(folder, 'blocks');
    // The first one publishes the ledger id.
    for (const [index, name] of readdirSync(files).slice(1).entries()) {
      const path = join(files, name);
      const items = splitBlock(unpackBlockFile(readFileSync(path)));
      const kind = index % 2 === 0 ? 'rearranged' : 'redacted';
      const [variant] = fc.sample(mutated(items, kind), { numRuns: 1, seed: index });
      writeFileSync(path, gzipSync(writeBlock(variant!.items)));
    }
    const found = await importFormat(folder);
    expect(found.trust).toEqual(truth.trust);
    expect(found.files).toEqual(truth.files);
    expect(found.dump.block_verification).toEqual(truth.dump.block_verification);
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
  });
});

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
