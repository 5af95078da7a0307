// Matches of an export are checked again before they are stored, in whatever form and order the export has them.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CompilerSettings } from '../../packages/verification/terms/source-claim.ts';
import { compileSolidity } from '../support/contracts/compile-solidity.ts';
import { type ImportStack, startImportStack } from './import-stack.ts';
import {
  metadataOf,
  otherTables,
  type Tables,
  toTables,
  type WrittenMatch,
  writeContractFolder,
  writeParquetExport,
} from './write-exports.ts';

let stack: ImportStack;
let folder: string;
/** One of each contract, by address. */
let matches: WrittenMatch[];

beforeAll(async () => {
  stack = await startImportStack();
  matches = stack.samples;
});
afterAll(() => stack?.close());
beforeEach(async () => {
  folder = await stack.begin();
});

const othersOf = (match: WrittenMatch, count: number): WrittenMatch[] =>
  Array.from({ length: count }, (_, i) => ({ ...match, chainId: String(1 + i) }));

const withSource = (match: WrittenMatch, change: (source: string) => string): WrittenMatch => ({
  ...match,
  sources: { [match.path]: change(match.sources[match.path]!) },
});

test('parquet files: matches of this chain are compiled, compared and stored', async () => {
  expect(matches.length).toBeGreaterThan(3);
  writeParquetExport(folder, toTables([...othersOf(matches[0]!, 40), ...matches]), { rowsPerFile: 13 });
  const { summary, problems } = await stack.run(folder);
  expect(problems).toEqual([]);
  expect(summary).toMatchObject({ listed: matches.length, stored: { perfect: matches.length, partial: 0 }, left: 0 });
  const stored = await stack.stored();
  expect(stored.map(({ address }) => `0x${address}`)).toEqual(matches.map(({ address }) => address));
  for (const row of stored) expect(row).toMatchObject({ origin: 'import', runtime_match: 'perfect', chain_id: '298' });

  const again = await stack.run(folder);
  expect(again.summary).toMatchObject({ already: matches.length, stored: { perfect: 0, partial: 0 }, left: 0 });
});

test('folders of both versions give what parquet files give', async () => {
  const some = matches.slice(0, 3);
  writeParquetExport(join(folder, 'parquet'), toTables(some));
  await stack.run(join(folder, 'parquet'));
  const expected = await stack.stored();
  for (const version of [1, 2] as const) {
    await stack.clear();
    const place = join(folder, `v${version}`);
    for (const match of some) writeContractFolder(place, match, metadataOf(match), version);
    const { summary, problems } = await stack.run(version === 1 ? place : join(place, 'contracts'));
    expect({ problems, unreadable: summary.unreadable.first }).toEqual({ problems: [], unreadable: [] });
    expect(await stack.stored()).toEqual(expected);
  }
});

describe('with all that is published beside what is read', () => {
  const published = () => ({ ...toTables(matches), ...otherTables(matches) });

  test('parquet files of all tables under v2/', async () => {
    writeParquetExport(folder, published(), { rowsPerFile: 10_000 });
    await expectAll(folder);
  });

  test('the earlier layout, with its manifest', async () => {
    const rowsPerFile = 2;
    const toPath = (table: string, file: string) => join(table, file.replace('.parquet', '_zstd.parquet'));
    writeParquetExport(folder, published(), { rowsPerFile, toPath });
    const files = Object.fromEntries(
      Object.keys(published()).map((table) => [
        table,
        readdirSync(join(folder, table)).map((name) => `${table}/${name}`),
      ]),
    );
    const manifest = join(folder, 'manifest.json');
    writeFileSync(manifest, JSON.stringify({ timestamp: 1, dateStr: '2026-10-01T12:00:00.250Z', files }));
    await expectAll(manifest);
  });

  test.each([1, 2] as const)('folders of contracts, version %i', async (version) => {
    const root = join(folder, 'repository');
    for (const match of matches)
      writeCompanions(writeContractFolder(root, match, await compiledMetadata(match), version));
    writeFileSync(join(root, 'manifest.json'), JSON.stringify({ timestamp: 1, repositoryVersion: '0.1' }));
    await expectAll(version === 1 ? folder : join(root, 'manifest.json'));
  });

  /** Whatever the form is, each contract has what the compiler made of its own sources. */
  async function expectAll(from: string): Promise<void> {
    const { summary, problems } = await stack.run(from);
    expect(problems).toEqual([]);
    expect(summary).toMatchObject({ listed: matches.length, stored: { perfect: matches.length, partial: 0 }, left: 0 });
    const stored = await stack.stored();
    expect(stored.map(({ address, fully_qualified_name }) => [`0x${address}`, fully_qualified_name])).toEqual(
      matches.map(({ address, path, name }) => [address, `${path}:${name}`]),
    );
  }
});

/** As the compiler writes it, with every member of its settings. */
async function compiledMetadata({ path, name, sources, settings }: WrittenMatch): Promise<object> {
  const contents = Object.entries(sources).map(([of, content]) => [of, { content }]);
  const input = { language: 'Solidity', sources: Object.fromEntries(contents), settings: settings as CompilerSettings };
  const [output] = await compileSolidity('0.8.37', [input]);
  const { metadata } = output!.contracts[path]![name] as unknown as { metadata: string };
  return JSON.parse(metadata);
}

/** What else a folder may have, and nothing depends on. */
function writeCompanions(contract: string): void {
  const files = {
    'constructor-args.txt': '0x',
    'creator-tx-hash.txt': `0x${'ab'.repeat(32)}`,
    'library-map.json': JSON.stringify({ __$0123456789abcdef0123456789abcdef01$__: 'ab'.repeat(20) }),
    'immutable-references.json': JSON.stringify({ '7': [{ length: 32, start: 5 }] }),
    'path-translation.json': JSON.stringify({ '../Other.sol': 'Other.sol' }),
    'create2-args.json': JSON.stringify({ salt: '1' }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(contract, name), content);
}

test('what does not match is told with the reason, is not stored, and is not checked a second time', async () => {
  const [first, second, third] = matches as [WrittenMatch, WrittenMatch, WrittenMatch];
  const other = withSource(first, (source) => source.replace(/\{/, '{ uint256 private unused = 7; '));
  const broken = withSource(second, (source) => `${source}\ncontract {`);
  const elsewhere = { ...third, address: '0x00000000000000000000000000000000deadbeef' };
  writeParquetExport(folder, toTables([other, broken, elsewhere, third]));
  const { summary, problems } = await stack.run(folder);
  expect(problems).toEqual([]);
  expect(summary).toMatchObject({ listed: 4, unknown: 1, stored: { perfect: 1 }, notMatched: { count: 2 }, left: 0 });
  const reasons = new Map(summary.notMatched.first.map(({ address, reason }) => [address, reason]));
  expect(reasons.get(second.address)).toMatch(/^Compiler error\. /);
  expect(reasons.get(first.address)).toMatch(/code/);
  expect(await stack.stored()).toMatchObject([{ address: third.address.slice(2) }]);

  expect((await stack.run(folder)).summary).toMatchObject({ checkedBefore: 2, already: 1, notMatched: { count: 0 } });
  const again = await stack.run(folder, { isAgain: true });
  expect(again.summary).toMatchObject({ checkedBefore: 0, already: 1, notMatched: { count: 2 } });
  // The check is a job like others.
  const jobs = await stack.query('select error, outcome from verification_job where error is not null');
  expect(jobs).toHaveLength(2);
});

test('a claim of a perfect match is stored as what it is', async () => {
  const commented = withSource(matches[0]!, (source) => `${source}\n// Another ending.\n`);
  writeParquetExport(folder, toTables([commented]));
  const { summary } = await stack.run(folder);
  expect(summary).toMatchObject({ stored: { perfect: 0, partial: 1 }, lower: { count: 1 } });
  expect(await stack.stored()).toMatchObject([{ runtime_match: 'partial' }]);
  // It claims more than is stored, and has been checked all the same.
  expect((await stack.run(folder)).summary).toMatchObject({ checkedBefore: 1, stored: { perfect: 0, partial: 0 } });
  // A better one replaces it, a worse one not.
  writeParquetExport(folder, toTables([commented, matches[0]!]));
  expect((await stack.run(folder)).summary).toMatchObject({ stored: { perfect: 1, partial: 0 }, left: 0 });
  expect(await stack.stored()).toMatchObject([{ runtime_match: 'perfect' }]);
});

test('compilers that are not here are counted by version', async () => {
  const [first, second, third] = matches as [WrittenMatch, WrittenMatch, WrittenMatch];
  const old = 'v0.4.24+commit.e67f0147';
  const vyper = { ...third, language: 'Vyper', compilerVersion: '0.3.7+commit.6020b8bb' };
  writeParquetExport(
    folder,
    toTables([{ ...first, compilerVersion: old }, { ...second, compilerVersion: old }, vyper]),
  );
  for (const isDryRun of [true, false]) {
    const { summary } = await stack.run(folder, { isDryRun });
    expect([...summary.missingCompilers]).toEqual([
      ['0.4.24+commit.e67f0147', 2],
      ['0.3.7+commit.6020b8bb', 1],
    ]);
    expect(summary).toMatchObject({ checkable: 0, notMatched: { count: 0 }, left: 0 });
  }
});

test('a dry run and a limit: nothing, or no more than that, is checked; the next run goes on', async () => {
  writeParquetExport(folder, toTables(matches));
  expect((await stack.run(folder, { isDryRun: true })).summary).toMatchObject({ checkable: matches.length, left: 0 });
  expect(await stack.stored()).toEqual([]);
  const limited = await stack.run(folder, { limit: 2, concurrent: 1 });
  expect(limited.summary).toMatchObject({ stored: { perfect: 2 }, left: matches.length - 2 });
  const rest = await stack.run(folder, { limit: 100 });
  expect(rest.summary).toMatchObject({ already: 2, stored: { perfect: matches.length - 2 }, left: 0 });
});

test('an import that is ended says what is left, and another one ends it', async () => {
  writeParquetExport(folder, toTables(matches));
  const ending = new AbortController();
  const { summary } = await stack.run(folder, {
    concurrent: 1,
    signal: ending.signal,
    onProgress: ({ done }) => done > 0 && ending.abort(),
  });
  expect(summary.left).toBe(matches.length - summary.stored.perfect);
  expect(summary.left).toBeGreaterThan(0);
  expect((await stack.run(folder)).summary).toMatchObject({ left: 0, already: summary.stored.perfect });
  expect(await stack.stored()).toHaveLength(matches.length);
});

test('bytes as hex text in any case, and tables that are not needed', async () => {
  const [first, second] = matches as [WrittenMatch, WrittenMatch];
  const tables = toTables([first, second]);
  const hexText = (bytes: unknown): string =>
    `0x${Buffer.from(bytes as Uint8Array)
      .toString('hex')
      .toUpperCase()}`;
  for (const row of tables.contract_deployments) row.address = hexText(row.address);
  for (const row of tables.compiled_contracts_sources) row.source_hash = hexText(row.source_hash);
  writeParquetExport(folder, { ...tables, signatures: [{ id: '1' }], sourcify_matches: [{ id: '1' }] });
  const { summary, problems } = await stack.run(folder);
  expect(problems).toEqual([]);
  expect(summary).toMatchObject({ listed: 2, stored: { perfect: 2 } });
});

test('any order of rows, files and columns gives equal rows', async () => {
  // Two claims for each of two contracts, one of them for the other contract.
  const [first, second] = matches as [WrittenMatch, WrittenMatch];
  const partial = withSource(first, (source) => `${source}\n// Other\n`);
  const all = [
    first,
    { ...partial, level: 'partial' as const },
    partial,
    second,
    { ...second, address: first.address },
  ];
  const tables = toTables(all);
  writeParquetExport(join(folder, 'first'), tables);
  await stack.run(join(folder, 'first'));
  const expected = await stack.stored();
  expect(expected).toHaveLength(2);
  let run = 0;
  const orders = fc.record({
    tables: fc.record(
      Object.fromEntries(
        Object.entries(tables).map(([name, rows]) => [name, fc.shuffledSubarray(rows, { minLength: rows.length })]),
      ),
    ),
    rowsPerFile: fc.integer({ min: 1, max: 6 }),
    rowGroupSize: fc.integer({ min: 1, max: 6 }),
    isReversed: fc.boolean(),
    isFlat: fc.boolean(),
    compression: fc.constantFrom('ZSTD' as const, 'SNAPPY' as const, 'UNCOMPRESSED' as const),
  });
  await fc.assert(
    fc.asyncProperty(orders, async ({ tables: shuffled, isFlat, ...layout }) => {
      await stack.clear();
      run += 1;
      const place = join(folder, `run${run}`);
      const toPath = isFlat ? { toPath: (_: string, file: string) => file } : {};
      writeParquetExport(place, shuffled as Tables, { ...layout, ...toPath });
      expect((await stack.run(place)).problems).toEqual([]);
      expect(await stack.stored()).toEqual(expected);
    }),
    { numRuns: 6 },
  );
});
