// One simulated ledger in every format, imported from each: what the tests of formats have in common.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import type { NetworkOptions } from '../../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../../packages/sources/folder-source.ts';
import { selectLedgerTrust } from '../../../packages/store/read/select-ledger-trust.ts';
import { createBlockWriter } from '../../../packages/store/write/block-writer.ts';
import { createScratchDatabase } from '../../../packages/test-support/postgres/scratch-database.ts';
import { type WriteNetworkOptions, writeNetwork } from '../../../packages/test-support/streams/write-network.ts';
import { importStream } from '../../../src/importer/import-stream.ts';
import { dumpTables, type TablesDump } from './dump-tables.ts';

/** The first block of a block stream, where a network goes over to one. */
export const cutoverAt = 20n;

const formats: Readonly<Record<string, Partial<NetworkOptions>>> = {
  records: {},
  wrapped: { format: 'wrapped' },
  blocks: { format: 'blocks', stateForm: 'whole' },
  partial: { format: 'blocks', stateForm: 'saving' },
  'always-partial': { format: 'blocks', stateForm: 'always' },
  cutover: { cutoverAt },
  'wrapped-cutover': { format: 'wrapped', cutoverAt },
};

/** A folder for each, below `root`. */
export async function writeFormats(root: string, options: Omit<WriteNetworkOptions, 'folder'>): Promise<void> {
  for (const [name, format] of Object.entries(formats)) {
    const folder = join(root, name);
    // The nodes' keys are in the ledger, in the address book: one set for all.
    if (name !== 'records') cpSync(join(root, 'records', 'keys'), join(folder, 'keys'), { recursive: true });
    await writeNetwork({ folder, ...format, ...options });
  }
}

export const formatNames = Object.keys(formats);

export type Imported = {
  dump: TablesDump;
  trust: object | null;
  files: Record<string, unknown>[];
  /** Blocks that a signature of the network covers. */
  covered: number;
  cutovers: unknown[];
  problems: unknown[];
};

export type ImportOptions = { maxBlocksAtATime?: number; betweenRuns?(db: Database): Promise<void> };

export async function importFormat(folder: string, options: ImportOptions = {}): Promise<Imported> {
  const { maxBlocksAtATime = Number.POSITIVE_INFINITY, betweenRuns } = options;
  const database = await createScratchDatabase();
  const { connectionString } = database;
  const db = openDatabase({ connectionString });
  const cutovers: unknown[] = [];
  const problems: unknown[] = [];
  try {
    for (let done = false; !done; ) {
      const writer = await createBlockWriter({ connectionString });
      const stop = new AbortController();
      let count = 0;
      try {
        const { blocks: imported } = await importStream({
          source: createFolderSource({ path: folder, pollMs: 20, missingTimeoutMs: 300 }),
          db,
          writer,
          addressBook: readFileSync(join(folder, 'addressbook.bin')),
          live: false,
          signal: stop.signal,
          onProgress() {
            count += 1;
            if (count >= maxBlocksAtATime) stop.abort();
          },
          onDoubt: (doubt) => problems.push(doubt),
          onDefect: (defect) => problems.push(defect),
          onCutover: (cutover) => cutovers.push(cutover),
        });
        done = imported === 0 || maxBlocksAtATime === Number.POSITIVE_INFINITY;
        await betweenRuns?.(db);
      } finally {
        await writer.close();
      }
    }
    const files = await db.query<Record<string, unknown>>({
      name: 'test-record-files',
      text: 'select index, hash, prev_hash from record_file order by index',
    });
    const [counted] = await db.query<{ covered: bigint }>({
      name: 'test-covered',
      text: 'select count(*) as covered from block_verification where rests_on is not null',
    });
    const stored = await selectLedgerTrust(db);
    const { origin, wrapsKey, rotation } = stored ?? {};
    const trust = stored && { origin, keyBytes: wrapsKey?.length ?? null, rotation };
    return {
      dump: await dumpTables(connectionString, differences),
      trust,
      files,
      covered: Number(counted!.covered),
      cutovers,
      problems,
    };
  } finally {
    await db.close();
    await database.close();
  }
}

/** Columns in which the formats truly differ, by table; `*` = the whole table. */
const differences: Record<string, string[]> = {
  record_file: [
    ...['load_start', 'load_end', 'size', 'name', 'version', 'file_hash', 'hash', 'prev_hash', 'sidecar_count'],
    ...['round_start', 'round_end', 'wrapped_record_block_hash', 'previous_wrapped_record_block_hash'],
  ],
  sidecar_file: ['*'],
  block_proof: ['*'],
  block_verification: ['*'],
  // Paths and history lead from root to root, and a block around a record file has another one.
  block_path: ['*'],
  block_history_node: ['*'],
  // Records hand the ledger over. A block stream declares it itself, and its WRAPS key is not taken then; only proofs
  // show rotations.
  ledger_trust: ['origin', 'wraps_key', 'rotation_block', 'rotation_steps'],
  // Which block shows it: a key is named in the state, which records do not have.
  ledger_key: ['*'],
  contract_result: ['function_result'],
  transaction: ['transaction_record_bytes'],
  importer_state: ['*'],
  ledger_mirror_schema: ['*'],
};

export function differingRows(
  expected: TablesDump,
  actual: TablesDump,
): Record<string, { lost: string[]; other: string[] }> {
  const tables = Object.keys({ ...expected, ...actual }).map((table) => {
    const [left, right] = [new Set(expected[table]), new Set(actual[table])];
    return [
      table,
      { lost: [...left].filter((row) => !right.has(row)), other: [...right].filter((row) => !left.has(row)) },
    ] as const;
  });
  return Object.fromEntries(tables.filter(([, { lost, other }]) => lost.length + other.length > 0));
}
