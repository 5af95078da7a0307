// Blocks of real networks through the whole import: the same rows from a record file and from the block that wraps it,
// the opening state of a genesis block, block streams of both root generations, each killed after its first block and
// started again.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import {
  countUnverifiedBlocks,
  selectFirstUnverifiedBlock,
} from '../../packages/store/read/select-unverified-proofs.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { dumpTables } from '../support/tables/dump-tables.ts';

const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const at = (path: string) => join(data, path);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'block-import-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Query = <Row>(text: string) => Promise<Row[]>;

async function imported<Result>(
  path: string,
  book: string | null,
  read: (query: Query, connectionString: string, db: Database) => Promise<Result>,
  prepare = async (_import: () => Promise<unknown>) => {},
): Promise<Result> {
  const database = await createScratchDatabase();
  const { connectionString } = database;
  const db = openDatabase({ connectionString });
  const addressBook = book === null ? null : readFileSync(at(`books/${book}`));
  const run = async () => {
    const writer = await createBlockWriter({ connectionString });
    try {
      const source = createFolderSource({ path, pollMs: 20, missingTimeoutMs: 300 });
      return await importStream({ source, db, writer, addressBook, live: false });
    } finally {
      await writer.close();
    }
  };
  try {
    await prepare(run);
    await run();
    return await read(
      <Row>(text: string) => db.query<Row & object>({ name: '', text }) as Promise<Row[]>,
      connectionString,
      db,
    );
  } finally {
    await db.close();
    await database.close();
  }
}

/** What comes of when it was loaded and how it was stored. */
const unlike = {
  record_file: [
    ...['load_start', 'load_end', 'name', 'size'],
    ...['wrapped_record_block_hash', 'previous_wrapped_record_block_hash'],
  ],
  sidecar_file: ['size'],
  importer_state: ['*'],
  ledger_mirror_schema: ['*'],
};

describe.skipIf(!existsSync(data))('blocks of real networks (skipped without ../shared/data)', () => {
  test('the mainnet block of 2025-07-23 makes the same rows as record file and as wrapped block', async () => {
    copyFileSync(at('blocks/wrapped-mainnet/0000000000082297471.blk.zstd'), join(folder, '82297471.blk.zstd'));
    const dump = (_query: Query, connectionString: string) => dumpTables(connectionString, unlike);
    const book = 'mainnet-2025-07-23.bin';
    const record = await imported(at('streams/mainnet-2025-07-23'), book, dump);
    const wrapped = await imported(folder, book, dump);
    expect(record.transaction).toHaveLength(47);
    expect(wrapped).toEqual(record);
  });

  test.each([
    ['0000000000000000000', 'mainnet-2019.bin', { name: '2019-09-13T21_53_51.396440Z.rcd', size: '455' }],
    ['0000000000082297471', 'mainnet-2025-07-23.bin', { name: '2025-07-23T20_37_42.076472454Z.rcd', size: '32665' }],
  ])('the wrapped block %s has name and size of the record file that is rebuilt', async (block, book, expected) => {
    copyFileSync(at(`blocks/wrapped-mainnet/${block}.blk.zstd`), join(folder, `${BigInt(block)}.blk.zstd`));
    const read = (query: Query) => query<Record<string, unknown>>('select name, size::text as size from record_file');
    expect(await imported(folder, book, read)).toEqual([expected]);
  });

  test('a genesis block opens the ledger with the whole supply, its contracts and files', async () => {
    const rows = await imported(at('blocks/wrapped-mainnet-genesis'), 'mainnet-2019.bin', async (query) => ({
      entities: await query(
        `select type::text, count(*)::text as count, sum(balance)::text as balance from entity group by type order by type`,
      ),
      contracts: await query(`select count(*)::text as count, count(runtime_bytecode)::text as code from contract`),
      slots: await query(`select count(*)::text as count from contract_state`),
      files: await query(`select count(*)::text as count from file_data`),
    }));
    expect(rows).toEqual({
      entities: [
        { type: 'ACCOUNT', count: '15267', balance: expect.any(String) },
        { type: 'CONTRACT', count: '101', balance: expect.any(String) },
        { type: 'FILE', count: '130', balance: null },
      ],
      contracts: [{ count: '101', code: '101' }],
      slots: [{ count: '767' }],
      files: [{ count: '130' }],
    });
    const balances = (rows.entities as { balance: string | null }[]).map(({ balance }) => BigInt(balance ?? 0));
    expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(5_000_000_000_000_000_000n);
  });

  test.each([
    [
      'consensus-node-0.73',
      'flat',
      [748, 3, 6, 5, 5],
      [0, 1, 2, 3, 4].map((number) => (number === 0 || number === 4 ? `signed ${number}` : 'chain 4')),
      { weight: 2, total_weight: 3, rotations: null },
      'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a',
    ],
    [
      'consensus-node-0.78',
      'nested',
      [759, 59, 171],
      ['signed 0', 'chain 5', 'state 5'],
      { weight: 3, total_weight: 4, rotations: null },
      '2d342330e766b2bee6d8c147393aa697fc0f8c2d88e65260af9aee0be1bfb205',
    ],
  ] as const)(
    '%s in a %s folder, continued after its first block',
    async (name, layout, counts, covers, weights, id) => {
      const place = (number: number) => {
        const nested = join(folder, '0000/0000/0000/0000');
        mkdirSync(nested, { recursive: true });
        const target = layout === 'nested' ? join(nested, `00${number}.blk.gz`) : join(folder, `${number}.blk.gz`);
        copyFileSync(at(`blocks/${name}/${number}.blk.gz`), target);
      };
      place(0);
      const rows = await imported(
        folder,
        null,
        async (query, _connectionString, db) => ({
          blocks: await query<Record<string, string>>(
            `select index::text, count::text, version::text, hash, prev_hash from record_file order by index`,
          ),
          proofs: await query<{ kind: string; verified: boolean; proof: Buffer }>(
            `select kind, verified, proof from block_proof order by consensus_end, place`,
          ),
          covers: await query<object>(
            `select kind, rests_on::int4, weight::int4, total_weight::int4, rotations::int4 from block_verification order by consensus_end`,
          ),
          trust: await query<object>(`select encode(ledger_id, 'hex') as ledger_id, origin from ledger_trust`),
          unverified: await countUnverifiedBlocks(db),
          firstUnverified: await selectFirstUnverifiedBlock(db),
        }),
        async (run) => {
          await run();
          for (let number = 1; number < counts.length; number++) place(number);
        },
      );
      expect(rows.blocks.map(({ index, count, version }) => [index, count, version])).toEqual(
        counts.map((count, index) => [`${index}`, `${count}`, '7']),
      );
      // Which form the first root has is not known before its successor is there, and is corrected then.
      for (const [index, block] of rows.blocks.entries()) {
        if (index > 0) expect(block.prev_hash).toBe(rows.blocks[index - 1]!.hash);
      }
      expect(rows.unverified).toEqual({ blocks: 0n, stored: BigInt(counts.length) });
      expect(rows.firstUnverified).toBeNull();
      expect(rows.covers).toEqual(
        covers.map((cover) => {
          const [kind, restsOn] = cover.split(' ');
          return { kind, rests_on: Number(restsOn), ...weights };
        }),
      );
      expect(rows.trust).toEqual([{ ledger_id: id, origin: 'selfDeclared' }]);
      for (const [index, { proof, kind, verified }] of rows.proofs.entries()) {
        const [by] = covers[index]!.split(' ');
        if (by !== 'chain') expect(kind).toBe(by === 'signed' ? 'signedBlock' : 'stateProof');
        expect(verified).toBe(by !== 'chain');
        const stored = readFileSync(at(`blocks/${name}/${index}.blk.gz`));
        expect(unpackBlockFile(stored).includes(proof)).toBe(true);
        expect(proof.length).toBeGreaterThan(40);
      }
    },
  );

  test.each([
    ['consensus-node-0.73', 5, 5],
    ['consensus-node-0.77', 2, 2],
    ['consensus-node-0.78', 3, 0],
  ] as const)('%s, one block at a time, each gone when the next one comes', async (name, count, kept) => {
    const path = (number: number) => join(folder, `${number}.blk.gz`);
    const place = (number: number) => copyFileSync(at(`blocks/${name}/${number}.blk.gz`), path(number));
    place(0);
    const read = async (query: Query) => ({
      blocks: await query<Record<string, string>>('select hash, prev_hash from record_file order by index'),
      forms: await query<Record<string, string>>(`select encode(newer, 'hex') as newer, encode(older, 'hex') as older
from block_root_forms order by consensus_end`),
    });
    const { blocks, forms } = await imported(folder, null, read, async (run) => {
      for (let number = 1; number < count; number++) {
        await run();
        rmSync(path(number - 1));
        place(number);
      }
    });
    expect([blocks.length, forms.length]).toEqual([count, kept]);
    for (const [index, block] of blocks.entries()) if (index > 0) expect(block.prev_hash).toBe(blocks[index - 1]!.hash);
    for (const [index, { newer, older }] of forms.entries()) {
      expect(blocks[index]!.hash).toBe(older);
      expect(newer).not.toBe(older);
    }
  });

  test('a block that is missing is named', async () => {
    for (const number of [0, 1, 3])
      copyFileSync(at(`blocks/consensus-node-0.73/${number}.blk.gz`), join(folder, `${number}.blk.gz`));
    await expect(imported(folder, null, async () => null)).rejects.toMatchObject({
      code: 'missing',
      expected: 'block 2',
    });
  });
});
