// What lies in a folder or a bucket and is no part of the stream: it is named once, and the import goes on as if it
// were not there.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import { askAgain } from '../../packages/sources/bucket/ask-again.ts';
import { createBucketSource } from '../../packages/sources/bucket/bucket-source.ts';
import { createS3Store } from '../../packages/sources/bucket/s3-store.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import type { PassedOver } from '../../packages/sources/passed-over.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { type VerifiedFile, verifyStream } from '../../src/importer/verify-stream.ts';
import { type ObjectServer, startObjectServer, storeCredentials } from '../support/servers/object-server.ts';
import { countBlocks } from '../support/tables/import-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'strange-files-'));
const count = 7;
let folder: string;
let passedOver: PassedOver[];

beforeAll(async () => {
  for (const format of ['records', 'blocks'] as const) {
    // None is about signatures: one proves all.
    const options = { format, blocks: count, transactions: 2, signEvery: count };
    await writeNetwork({ folder: join(root, format), seed: 'strange', ...options });
  }
});
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
  passedOver = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const onPassedOver = (passed: PassedOver) => void passedOver.push(passed);
const take = (format: 'records' | 'blocks') => cpSync(join(root, format), folder, { recursive: true });
const blocksFolder = () => join(folder, 'blocks');
const blockName = (number: number) => `${number.toString().padStart(19, '0')}.blk.gz`;
const book = () => readFileSync(join(folder, 'addressbook.bin'));

async function verify(source: StreamSource): Promise<VerifiedFile[]> {
  const files: VerifiedFile[] = [];
  for await (const file of verifyStream({ source, addressBook: readAddressBook(book()) })) files.push(file);
  return files;
}

/**
 * Number of blocks that are there afterwards, with a look at the newest file and a second import, as a live one has
 * them.
 */
async function importAll(): Promise<number> {
  const database = await createScratchDatabase();
  const { connectionString } = database;
  const db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  try {
    const source = createFolderSource({ path: folder, onPassedOver });
    await importStream({ source, db, writer, addressBook: book(), live: false });
    expect(await source.newestInstant()).not.toBeNull();
    await importStream({ source, db, writer, addressBook: book(), live: false });
    return await countBlocks(db);
  } finally {
    await writer.close();
    await db.close();
    await database.close();
  }
}

const named = () => passedOver.map(({ path }) => path);

describe('in a folder', () => {
  it.each([
    ['recordstreams/record0.0.99999999999999999999999', ''],
    ['recordstreams/record0.70000.3', ''],
    ['mainnet/0/99999999999999999999', 'record'],
  ])('a node number that no node has: %s', async (path, below) => {
    take('records');
    const from = join(folder, 'recordstreams', 'record0.0.3');
    const strange = join(folder, path, below);
    cpSync(from, strange, { recursive: true });
    expect(await importAll()).toBe(count);
    expect(passedOver).toEqual([{ path: strange, reason: expect.stringMatching(/^no (node|account) has the number/) }]);
  });

  it.each([
    ['records', 'loop', 'loop'],
    ['records', 'self', '.'],
    ['records', 'recordstreams/up', '..'],
    ['records', 'recordstreams/record0.0.9', 'record0.0.9'],
    ['blocks', 'loop', 'loop'],
    ['blocks', 'self', '.'],
    ['blocks', 'blocks/up', '..'],
    ['blocks', '0001', '0001'],
  ] as const)('a link in a circle, beside %s: %s to %s', async (format, name, target) => {
    take(format);
    symlinkSync(target, join(folder, name));
    expect(await importAll()).toBe(count);
    expect(passedOver).toEqual([
      {
        path: join(folder, name),
        reason: expect.stringMatching(/^it is a symbolic link (that leads back|to a folder)/),
      },
    ]);
  });

  it.each([
    ['a copy', '5.blk.gz', (stored: Buffer) => stored],
    ['a damaged copy', '5.blk.gz', () => Buffer.from('damaged')],
    [
      'a copy in another compression',
      '0000000000000000005.blk.zstd',
      (stored: Buffer) => zstdCompressSync(gunzipSync(stored)),
    ],
    ['another block', '5.blk.gz', () => readFileSync(join(blocksFolder(), blockName(3)))],
  ])('two files of one number: %s', async (_what, name, make) => {
    take('blocks');
    writeFileSync(join(blocksFolder(), name), make(readFileSync(join(blocksFolder(), blockName(5)))));
    expect(await importAll()).toBe(count);
    expect(passedOver).toEqual([
      {
        path: join(blocksFolder(), name),
        reason: `block 5 exists as ${blockName(5)} too, which is used unless it is refused`,
      },
    ]);
  });

  it.each([1, 5])(
    'two files of number %i, of which the first is damaged: the second is taken, and the first is named',
    async (number) => {
      take('blocks');
      cpSync(join(blocksFolder(), blockName(number)), join(blocksFolder(), `${number}.blk.gz`));
      writeFileSync(join(blocksFolder(), blockName(number)), 'damaged');
      expect(await importAll()).toBe(count);
      const file = (await verify(createFolderSource({ path: folder })))[number]!;
      expect(file).toMatchObject({
        name: `${number}.blk.gz`,
        verification: { rejected: [{ file: blockName(number) }] },
      });
    },
  );

  it('two files of one number, both damaged: each is named', async () => {
    take('blocks');
    for (const name of [blockName(5), '5.blk.gz']) writeFileSync(join(blocksFolder(), name), 'damaged');
    await expect(importAll()).rejects.toThrow(/0005\.blk\.gz: not a whole stream file.*; node .*\/5\.blk\.gz: format/);
  });

  it('two files of one number in nested folders', async () => {
    take('blocks');
    const nested = join(blocksFolder(), '0000', '0000', '0000', '0000');
    mkdirSync(nested, { recursive: true });
    for (const name of readdirSync(blocksFolder()).filter((name) => name.endsWith('.blk.gz'))) {
      cpSync(join(blocksFolder(), name), join(nested, name.slice(-10)));
      rmSync(join(blocksFolder(), name));
    }
    const stored = readFileSync(join(nested, '005.blk.gz'));
    writeFileSync(join(nested, '005.blk.zstd'), zstdCompressSync(gunzipSync(stored)));
    writeFileSync(join(nested, '005.blk.gz'), 'damaged');
    // Beyond int64.
    const beyond = join(blocksFolder(), '9999', '9999', '9999', '9999');
    mkdirSync(beyond, { recursive: true });
    writeFileSync(join(beyond, '999.blk.gz'), stored);
    expect(await importAll()).toBe(count);
    expect(named().sort()).toEqual([join(nested, '005.blk.zstd'), join(beyond, '999.blk.gz')]);
  });

  it.each([
    '1000000000000000',
    '1000007',
    '9223372036854775807',
    '9223372036854775808',
    '9999999999999999999',
    '9'.repeat(36),
  ])('a stray block far ahead: %s', async (number) => {
    take('blocks');
    const stray = join(blocksFolder(), `${number}.blk.gz`);
    cpSync(join(blocksFolder(), blockName(4)), stray);
    expect(await importAll()).toBe(count);
    expect(named()).toEqual([stray]);
  });

  it('a block that is missing is still one that is missing', async () => {
    take('blocks');
    rmSync(join(blocksFolder(), blockName(5)));
    await expect(importAll()).rejects.toThrow(/missing: expected block 5, found block 6/);
  });
});

describe('in a bucket', () => {
  let server: ObjectServer;
  beforeAll(async () => {
    Object.assign(process.env, storeCredentials);
    server = await startObjectServer(join(root, 's3'));
  });
  afterAll(() => server.close());

  const bucket = (prefix: string) =>
    createBucketSource({
      store: askAgain(
        createS3Store({ bucket: server.bucket, endpoint: server.endpoint, region: 'us-east-1', requesterPays: false }),
        { timeoutMs: 20_000 },
      ),
      prefix,
      pollMs: 50,
      aheadBytes: 1_000_000,
      onPassedOver,
    });

  it('a node number that no node has', async () => {
    take('records');
    cpSync(join(folder, 'recordstreams', 'record0.0.3'), join(folder, 'recordstreams', `record0.0.${'9'.repeat(23)}`), {
      recursive: true,
    });
    await server.putFolder(folder, 'records/');
    expect(await verify(bucket('records'))).toHaveLength(count);
    expect(named()).toEqual([`s3://streams/records/recordstreams/record0.0.${'9'.repeat(23)}`]);
  });

  it('two objects of one number, and stray blocks far ahead', async () => {
    take('blocks');
    const stored = readFileSync(join(blocksFolder(), blockName(5)));
    writeFileSync(join(blocksFolder(), blockName(5).replace('.gz', '.zstd')), zstdCompressSync(gunzipSync(stored)));
    writeFileSync(join(blocksFolder(), blockName(5)), 'damaged');
    for (const number of ['0001000000000000000', '9999999999999999999'])
      writeFileSync(join(blocksFolder(), `${number}.blk.gz`), stored);
    await server.putFolder(folder, 'blocks/');
    const files = await verify(bucket('blocks'));
    expect(files).toHaveLength(count);
    expect(files[5]!.verification.rejected).toMatchObject([{ file: blockName(5) }]);
    expect(named().sort()).toEqual(
      ['0000000000000000005.blk.zstd', '0001000000000000000.blk.gz', '9999999999999999999.blk.gz'].map(
        (name) => `s3://streams/blocks/blocks/${name}`,
      ),
    );
  });
});
