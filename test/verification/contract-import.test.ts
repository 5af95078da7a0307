// Matches of an export are checked again before they are stored, in whatever form and order the export has them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ImportStack, startImportStack } from './import-stack.ts';
import { metadataOf, toTables, type WrittenMatch, writeContractFolder, writeParquetExport } from './write-exports.ts';

vi.setConfig({ testTimeout: 600_000 });

let stack: ImportStack;
let folder: string;
/** One of each contract. */
let matches: WrittenMatch[];

beforeAll(async () => {
  stack = await startImportStack();
  const byName = new Map(stack.matches.map((match) => [match.name, match]));
  matches = [...byName.values()];
}, 600_000);
afterAll(() => stack?.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contract-import-'));
  await stack.clear();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const othersOf = (match: WrittenMatch, count: number): WrittenMatch[] =>
  Array.from({ length: count }, (_, i) => ({ ...match, chainId: String(1 + i) }));

test('parquet files: matches of this chain are compiled, compared and stored', async () => {
  expect(matches.length).toBeGreaterThan(3);
  writeParquetExport(folder, toTables([...othersOf(matches[0]!, 40), ...matches]), { rowsPerFile: 13 });
  const { summary, problems } = await stack.run(folder);
  expect(problems).toEqual([]);
  expect(summary).toMatchObject({ listed: matches.length, stored: { perfect: matches.length, partial: 0 }, left: 0 });
  const stored = await stack.stored();
  expect(stored.map(({ address }) => `0x${address}`)).toEqual(matches.map(({ address }) => address).sort());
  for (const row of stored) expect(row).toMatchObject({ origin: 'import', runtime_match: 'perfect', chain_id: '298' });

  const again = await stack.run(folder);
  expect(again.summary).toMatchObject({ already: matches.length, stored: { perfect: 0, partial: 0 }, left: 0 });
});
