// Blocks are imported again in databases that hold a part of the ledger: the tables stay as they are, or the block is
// refused by name and nothing is changed.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { createRowDropper } from '../../packages/store/retention/row-dropper.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { SimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { parseFilterTerms, type StreamFilter } from '../../src/importer/extent/stream-filter.ts';
import { dumpTables, type TablesDump } from '../support/tables/dump-tables.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';
import { describeDifferences, noteRevision, reimport, writeLedger } from './reimport-ledger.ts';

// Ledgers are imported, exported and loaded.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const size = { blocks: 40, transactionsPerBlock: 40 };
const recordsSize = { ...size, transactionsPerBlock: 40 };
const middle = { kind: 'block', number: 24n } as const;
let records: SimulatedStream;
let blocks: SimulatedStream;
let folder: string;
let scratch: ScratchDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reimport-'));
  records = await writeLedger(5, 'wrapped-cutover', recordsSize);
  blocks = await writeLedger(4, 'always', size);
});
afterAll(() => {
  for (const stream of [records, blocks]) stream?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  scratch = await createScratchDatabase();
});
afterEach(() => scratch.close());

const dump = (): Promise<TablesDump> => dumpTables(scratch.connectionString, {});
const again = (stream: SimulatedStream, first: bigint, filter?: StreamFilter) =>
  reimport(scratch.connectionString, stream.source(), first, { filter });

test.each(['records', 'blocks'] as const)('a mirror that began later: %s', async (kind) => {
  const stream = kind === 'records' ? records : blocks;
  const start = { kind: 'block', number: kind === 'records' ? 4n : 12n } as const;
  await stream.importInto(scratch.connectionString, { start });
  const expected = await dump();
  await again(stream, start.number);
  expect(describeDifferences(expected, await dump())).toEqual([]);
  await again(stream, 30n);
  expect(describeDifferences(expected, await dump())).toEqual([]);
  await expect(again(stream, start.number - 1n)).rejects.toThrow(`Block ${start.number - 1n} is not stored`);
});

test.each([4n, 16n])('a mirror that dropped its past before block %i', async (first) => {
  await records.importInto(scratch.connectionString);
  const border = await withClient(scratch.connectionString, 'test', async (client) => {
    const { rows } = await client.query(
      `select consensus_end + 1 as border from record_file where index = ${first - 1n}`,
    );
    return BigInt(rows[0].border);
  });
  const dropper = await createRowDropper(scratch.connectionString);
  await dropper.dropBefore(border);
  await dropper.close();
  const expected = await dump();
  await again(records, first);
  expect(describeDifferences(expected, await dump())).toEqual([]);
  await expect(again(records, first - 1n)).rejects.toThrow(`Block ${first - 1n} is not stored`);
});

test('a mirror of some transactions, of record files', async () => {
  const filter = { included: parseFilterTerms('CONTRACTCALL,TOKENDISSOCIATE,0.0.1003')!, excluded: null };
  await records.importInto(scratch.connectionString, { filter, until: { kind: 'block', number: 9n } });
  const expected = await dump();
  await again(records, 0n, filter);
  expect(describeDifferences(expected, await dump())).toEqual([]);
});

test('of some transactions of a block stream, blocks that need the others are refused, and stay', async () => {
  const filter = { included: null, excluded: parseFilterTerms('TOKENMINT,TOKENBURN,ETHEREUMTRANSACTION')! };
  await blocks.importInto(scratch.connectionString, { filter });
  const expected = await dump();
  const refused: bigint[] = [];
  for (let first = 0n; first < BigInt(size.blocks); ) {
    const error: Error | null = await again(blocks, first, filter).then(
      () => null,
      (thrown: Error) => thrown,
    );
    if (error === null) break;
    const [, block, next] =
      /^Block (\d+) cannot be imported again: it leaves out the .*--reimport-from (\d+)/.exec(error.message) ?? [];
    expect({ error: error.message, next }).toEqual({ error: error.message, next: String(BigInt(block!) + 1n) });
    refused.push(BigInt(block!));
    first = BigInt(next!);
  }
  expect(refused.length).toBeGreaterThan(0);
  expect(describeDifferences(expected, await dump())).toEqual([]);
});

async function exportTo(name: string, stream: SimulatedStream, options: { isState: boolean; isPlain: boolean }) {
  const from = await createScratchDatabase();
  try {
    await noteRevision(from.connectionString);
    await stream.importInto(from.connectionString, { until: middle });
    await writeExport(from.connectionString, join(folder, name), options);
  } finally {
    await from.close();
  }
  return join(folder, name);
}

test.each(['records', 'blocks'] as const)('a mirror that began with a whole export: %s', async (kind) => {
  const stream = kind === 'records' ? records : blocks;
  const place = await exportTo(`whole-${kind}`, stream, { isState: false, isPlain: false });
  await loadFrom(place, scratch.connectionString);
  await noteRevision(scratch.connectionString);
  await stream.importInto(scratch.connectionString);
  const expected = await dump();
  await again(stream, 0n);
  expect(describeDifferences(expected, await dump())).toEqual([]);
  await again(stream, 20n);
  expect(describeDifferences(expected, await dump())).toEqual([]);
});

test.each([
  ['of state', { isState: true, isPlain: false }, 'state', /^Block 24 .* holds only a part of it/],
  [
    'of another program',
    { isState: false, isPlain: true },
    'full',
    /^Block 24 .* loaded from an export of another program/,
  ],
] as const)('a mirror that began with an export %s refuses its blocks', async (name, options, mode, refusal) => {
  const place = await exportTo(name, records, options);
  await loadFrom(place, scratch.connectionString, { mode: { kind: mode } });
  await noteRevision(scratch.connectionString);
  const loaded = await dump();
  await expect(again(records, middle.number)).rejects.toThrow(refusal);
  await expect(again(records, middle.number)).rejects.toThrow('Nothing was changed. No stored block');
  // Days of an export that has none are counted meanwhile.
  const ofLedger = (line: string) => !line.startsWith('ledger_day');
  expect(describeDifferences(loaded, await dump()).filter(ofLedger)).toEqual([]);
  await records.importInto(scratch.connectionString);
  const expected = await dump();
  await expect(again(records, middle.number)).rejects.toThrow('Nothing was changed. Use --reimport-from 25.');
  await again(records, 25n);
  await again(records, 33n);
  expect(describeDifferences(expected, await dump())).toEqual([]);
});
