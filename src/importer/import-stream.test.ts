import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { inRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { writeAddressBook } from '../../packages/simulated-network/formats/write-address-book.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { selectSystemRealm } from '../../packages/store/read/select-system-realm.ts';
import { type BlockWriter, createBlockWriter } from '../../packages/store/write/block-writer.ts';
import type { RawItem } from '../../packages/streams/record-stream/raw-record-file.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { createSignedStream, createTestKeys, transferItem } from '../../packages/test-support/streams/signed-stream.ts';
import { type ImportStreamOptions, importStream } from './import-stream.ts';
import { NoAddressBookError, OtherAddressBookError } from './load-import-state.ts';
import { StreamCheckError } from './open/stream-check-error.ts';

const keys = createTestKeys(3);
const real = findRealData('');
const data = real.path;

let folder: string;
let mirrors: Mirror[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-stream-'));
});

afterEach(async () => {
  for (const mirror of mirrors) await mirror.close();
  mirrors = [];
  rmSync(folder, { recursive: true, force: true });
});

type Mirror = {
  database: ScratchDatabase;
  db: Database;
  import(
    options?: Partial<ImportStreamOptions>,
    toWriter?: (writer: BlockWriter) => BlockWriter,
  ): ReturnType<typeof importStream>;
  close(): Promise<void>;
};

async function createMirror(path = folder, addressBook: Uint8Array | null = null): Promise<Mirror> {
  const database = await createScratchDatabase();
  const { connectionString } = database;
  const db = openDatabase({ connectionString });
  const mirror: Mirror = {
    database,
    db,
    async import(options, toWriter = (writer) => writer) {
      const writer = toWriter(await createBlockWriter({ connectionString }));
      try {
        const source = createFolderSource({ path, pollMs: 20, missingTimeoutMs: 300 });
        return await importStream({ source, db, writer, addressBook, live: false, ...options });
      } finally {
        await writer.close();
      }
    },
    async close() {
      await db.close();
      await database.close();
    },
  };
  mirrors.push(mirror);
  return mirror;
}

async function recordFiles(db: Database) {
  return db.query<Record<string, unknown>>({
    name: 'test-record-files',
    text: 'select * from record_file order by consensus_end',
  });
}

// Files of real networks, where they are at hand.
test.skipIf(real.isAbsent).each([
  ['v2', 'testnet-2019.bin'],
  ['v2v5', 'testnet-2019.bin'],
  ['v5', 'testnet-2019.bin'],
  ['v6', 'test-v6-sidecar-4n.bin'],
  ['mainnet-2019-09-13', 'mainnet-2019.bin'],
  ['mainnet-2025-07-23', 'mainnet-2025-07-23.bin'],
])('real files: %s', async (set, book) => {
  const path = join(data, 'streams', set);
  const mirror = await createMirror(path, readFileSync(join(data, 'books', book)));
  const problems: unknown[] = [];
  await mirror.import({ onDoubt: (doubt) => problems.push(doubt), onDefect: (defect) => problems.push(defect) });
  expect(problems).toEqual([]);
  const all = JSON.parse(readFileSync(join(data, 'streams', 'expected.json'), 'utf8')) as Record<string, unknown>[];
  const expected = all.filter((file) => file.set === set);
  const stored = await recordFiles(mirror.db);
  expect(stored.map(toExpected)).toEqual(
    expected.map((file, index) => ({
      file: String(file.file).replace(/\.gz$/, ''),
      version: file.version,
      count: file.count,
      blockNumber: file.blockNumber ?? String(index),
      consensusStart: file.consensusStart,
      consensusEnd: file.consensusEnd,
      prevHash: file.prevHash,
      hash: file.hash,
      fileHash: file.fileHash,
      sidecars: file.sidecars,
    })),
  );
  const sums = await mirror.db.query<{ sum: bigint | string }>({
    name: 'test-transfer-sums',
    text: 'select sum(amount)::int8 as sum from crypto_transfer group by consensus_timestamp having sum(amount) <> 0',
  });
  expect(sums).toEqual([]);
});

function toExpected(row: Record<string, unknown>) {
  return {
    // Expected names are partly those of unpacked files.
    file: String(row.name).replace(/\.gz$/, ''),
    version: row.version,
    count: Number(row.count),
    blockNumber: String(row.index),
    consensusStart: String(row.consensus_start),
    consensusEnd: String(row.consensus_end),
    prevHash: row.prev_hash,
    hash: row.hash,
    fileHash: row.file_hash,
    sidecars: row.sidecar_count,
  };
}

test('without an address book nothing is believed', async () => {
  createSignedStream(folder, keys).write();
  const mirror = await createMirror();
  const refused = await mirror.import().catch((error: Error) => error);
  expect(refused).toBeInstanceOf(NoAddressBookError);
  expect((refused as Error).message).toMatch(/^The record file of 2023-11-14T22_13_20\.123456789Z is signed by nodes/);
});

test.skipIf(real.isAbsent)('a block around a record file needs an address book, and is named', async () => {
  copyFileSync(join(data, 'blocks/wrapped-mainnet/0000000000000000000.blk.zstd'), join(folder, '0.blk.zstd'));
  const mirror = await createMirror();
  await expect(mirror.import()).rejects.toThrow(
    /^The record file 2019-09-13T21_53_51\.396440Z\.rcd in block 0 is signed by nodes/,
  );
  await expect(
    mirror.import({ addressBook: readFileSync(join(data, 'books/mainnet-2019.bin')) }),
  ).resolves.toMatchObject({ blocks: 1 });
});

const elsewhere = { shard: 11n, realm: 12n };

test('shard and realm follow from the first block, and are stored with it', async () => {
  const stream = createSignedStream(folder, keys, elsewhere);
  stream.write();
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  expect(await selectSystemRealm(mirror.db)).toBeNull();
  // A snapshot is due with the first block.
  await mirror.db.query({
    name: 'test-snapshot',
    text: `insert into account_balance_file (consensus_timestamp, count, name) values (1, 0, '')`,
  });
  await mirror.import();
  expect(await selectSystemRealm(mirror.db)).toEqual(elsewhere);
  const rows = (text: string) => mirror.db.query<Record<string, unknown>>({ name: text, text });
  expect(await rows('select file_id, node_count from address_book')).toEqual([
    { file_id: inRealm(102n, elsewhere), node_count: 3 },
  ]);
  expect(await rows('select shard, realm from mirrored_network')).toEqual([elsewhere]);
  expect(await rows('select account_id from account_balance where account_id is not null limit 1')).toEqual([
    { account_id: inRealm(2n, elsewhere) },
  ]);
  stream.write();
  await expect(mirror.import({ addressBook: null })).resolves.toMatchObject({ blocks: 1 });
  // As earlier versions left it.
  await rows('update address_book set file_id = 102');
  await rows('delete from mirrored_network');
  stream.write();
  await expect(mirror.import()).resolves.toMatchObject({ blocks: 1 });
  expect(await rows('select shard, realm from mirrored_network ')).toEqual([elsewhere]);
});

test('files, address book and setting must be of one network', async () => {
  const stream = createSignedStream(folder, keys, elsewhere);
  stream.write();
  const ofOwn = writeAddressBook(stream.addressBook.nodes);
  const mirror = await createMirror(folder, ofOwn);
  await expect(mirror.import({ system: { shard: 11n, realm: 0n } })).rejects.toThrow(
    /is of a network in shard 11, realm 12, and the setting says shard 11, realm 0\. Give/,
  );
  expect(await recordFiles(mirror.db)).toEqual([]);
  await expect(mirror.import({ system: elsewhere })).resolves.toMatchObject({ blocks: 1 });
});

test.skipIf(real.isAbsent)(
  'an address book of another network is refused where nothing is checked with it, too',
  async () => {
    const path = join(data, 'blocks/consensus-node-0.78');
    const { addressBook } = createSignedStream(folder, keys);
    const mirror = await createMirror(path, writeAddressBook(addressBook.nodes));
    await expect(mirror.import()).rejects.toThrow(
      /^0\.blk\.gz is of a network in shard 11, realm 12, and the address book is of shard 0, realm 0\./,
    );
    await expect(mirror.import({ addressBook: null })).resolves.toMatchObject({ blocks: 6 });
  },
);

test('a wrong address book leaves nothing behind, the right one is taken, and another one is refused by name later', async () => {
  const stream = createSignedStream(folder, keys);
  stream.write();
  const right = writeAddressBook(stream.addressBook.nodes);
  const wrong = writeAddressBook(createSignedStream(join(folder, 'other'), createTestKeys(3)).addressBook.nodes);
  rmSync(join(folder, 'other'), { recursive: true });
  const mirror = await createMirror(folder, wrong);
  await expect(mirror.import()).rejects.toThrow(StreamCheckError);
  const books = () =>
    mirror.db.query<{ count: bigint }>({ name: 'books', text: 'select count(*) as count from address_book' });
  expect(await books()).toEqual([{ count: 0n }]);

  await expect(mirror.import({ addressBook: right })).resolves.toMatchObject({ blocks: 1 });
  expect(await books()).toEqual([{ count: 1n }]);
  stream.write();
  await expect(mirror.import({ addressBook: wrong })).rejects.toThrow(OtherAddressBookError);
  await expect(mirror.import({ addressBook: right })).resolves.toMatchObject({ blocks: 1 });
  stream.write();
  await expect(mirror.import({ addressBook: null })).resolves.toMatchObject({ blocks: 1 });
});

/**
 * The stream goes on after a book that nobody could sign by, also in a database where an earlier version took it over.
 */
test.each(['none', '30820122'])(
  'an address book whose only keys are "%s" is not taken over, and the stream goes on',
  async (key) => {
    const stream = createSignedStream(folder, keys);
    const keyless = writeAddressBook(stream.addressBook.nodes.map((node) => ({ ...node, publicKeyHex: key })));
    stream.write();
    const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
    await mirror.import();
    stream.write({ items: [bookItem(streamStart + 2_000_000_000n, keyless)] });
    for (let file = 0; file < 3; file++) stream.write();
    const problems: string[] = [];
    await expect(mirror.import({ onDoubt: ({ text }) => problems.push(text) })).resolves.toMatchObject({
      blocks: 4,
    });
    expect(problems).toEqual([
      expect.stringMatching(/a node with a readable key, found none of 3; the address book before it/),
    ]);
    const books = 'select node_count, end_consensus_timestamp from address_book order by start_consensus_timestamp';
    expect(await mirror.db.query({ name: 'books', text: books })).toEqual([
      { node_count: 3, end_consensus_timestamp: null },
    ]);
    await mirror.db.query({
      name: 'take-over',
      text: 'insert into address_book (start_consensus_timestamp, file_data, file_id, node_count) values ($1, $2, 102, 3)',
      values: [streamStart + 2_000_000_001n, keyless],
    });
    stream.write();
    await expect(mirror.import({ addressBook: null })).resolves.toMatchObject({ blocks: 1 });
  },
);

/** Of `createSignedStream`, ns. */
const streamStart = 1_700_000_000_123_456_789n;

/** An update of file 102 that succeeded at this time. */
function bookItem(consensusTimestamp: bigint, contents: Buffer): RawItem {
  const [seconds, nanos] = [Number(consensusTimestamp / 1_000_000_000n), Number(consensusTimestamp % 1_000_000_000n)];
  const transactionID = { accountID: { accountNum: 2 }, transactionValidStart: { seconds: seconds - 5, nanos } };
  const body = { transactionID, fileUpdate: { fileID: { fileNum: 102 }, contents } };
  const bodyBytes = proto.TransactionBody.encode(body as unknown as proto.ITransactionBody).finish();
  const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes }).finish();
  const record = { receipt: { status: 22 }, consensusTimestamp: { seconds, nanos }, transactionID };
  return {
    transaction: Buffer.from(proto.Transaction.encode({ signedTransactionBytes }).finish()),
    record: Buffer.from(proto.TransactionRecord.encode(record as unknown as proto.ITransactionRecord).finish()),
  };
}

test('a network whose nodes all have stake 0 is imported: each node weighs 1', async () => {
  const stream = createSignedStream(folder, keys);
  const nodeStake = keys.map((_key, nodeId) => ({ nodeId, stake: 0 }));
  stream.write({ items: [nodeStakeItem(1_700_000_000n, nodeStake)] });
  stream.write({ nodes: [1] });
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  await expect(mirror.import()).resolves.toMatchObject({ blocks: 2, defects: 0 });
  stream.write({ nodes: [2] });
  await expect(mirror.import()).resolves.toMatchObject({ blocks: 1 });
});

test('the share of the stake that must have signed is a setting', async () => {
  const stream = createSignedStream(folder, keys);
  stream.write({ nodes: [0] });
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  const half = { numerator: 1n, denominator: 2n };
  await expect(mirror.import({ consensusRatio: half })).rejects.toThrow(StreamCheckError);
  await expect(mirror.import()).resolves.toMatchObject({ blocks: 1 });
});

function nodeStakeItem(seconds: bigint, nodeStake: object[]): RawItem {
  const body = { nodeStakeUpdate: { nodeStake, endOfStakingPeriod: { seconds: Number(seconds) } } };
  const bodyBytes = proto.TransactionBody.encode(body as unknown as proto.ITransactionBody).finish();
  return {
    transaction: Buffer.from(proto.Transaction.encode({ bodyBytes }).finish()),
    record: Buffer.from(
      proto.TransactionRecord.encode({
        receipt: { status: 22 },
        consensusTimestamp: { seconds: Number(seconds), nanos: 123_456_789 },
      } as unknown as proto.ITransactionRecord).finish(),
    ),
  };
}

test('a file that cannot be proved stops the import; repaired, it goes on there and ends like an undisturbed one', async () => {
  const stream = createSignedStream(folder, keys);
  const files = Array.from({ length: 6 }, () => stream.write());
  const addressBook = writeAddressBook(stream.addressBook.nodes);
  const undisturbed = await createMirror(folder, addressBook);
  await expect(undisturbed.import()).resolves.toEqual({
    blocks: 6,
    transactions: 12,
    problems: 0,
    defects: 0,
    reachedEnd: false,
  });

  const disturbed = await createMirror(folder, addressBook);
  for (const path of files[3]!.records) renameSync(path, `${path}.away`);
  const numbers: bigint[] = [];
  const onProgress: ImportStreamOptions['onProgress'] = ({ block }) => numbers.push(block.number);
  await expect(disturbed.import({ onProgress })).rejects.toThrow(StreamCheckError);
  expect(numbers).toEqual([0n, 1n, 2n]);
  expect(await recordFiles(disturbed.db)).toHaveLength(3);
  for (const path of files[3]!.records) renameSync(`${path}.away`, path);
  await expect(disturbed.import({ onProgress })).resolves.toMatchObject({ blocks: 3 });
  await expect(disturbed.import({ onProgress })).resolves.toMatchObject({ blocks: 0 });
  expect(numbers).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
  const [one, other] = await Promise.all(
    [undisturbed, disturbed].map(({ database }) => dumpDatabase(database.connectionString)),
  );
  expect(summarizeDump(other!)).toEqual(summarizeDump(one!));
});

test('files without a number are counted, and the first with one corrects the count', async () => {
  const stream = createSignedStream(folder, keys);
  for (const version of [2, 5, 5] as const) stream.write({ version });
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  await mirror.import({ startBlockNumber: 100n });
  const numbers = async () => (await recordFiles(mirror.db)).map((row) => row.index);
  expect(await numbers()).toEqual([100n, 101n, 102n]);
  stream.write();
  stream.write();
  await mirror.import();
  expect(await numbers()).toEqual([0n, 1n, 2n, 3n, 4n]);
});

test('a live import takes files as they come, waits out what is missing, and ends with its signal', async () => {
  const stream = createSignedStream(folder, keys);
  stream.write();
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  const stop = new AbortController();
  const numbers: bigint[] = [];
  let retries = 0;
  let late: string[] = [];
  const importing = mirror.import({
    live: true,
    signal: stop.signal,
    onProgress: ({ block }) => {
      numbers.push(block.number);
      if (block.number === 0n) {
        late = stream.write().records;
        for (const path of late) renameSync(path, `${path}.away`);
        stream.write();
      }
      if (block.number === 2n) stop.abort();
    },
    onRetry: (error) => {
      expect(error).toBeInstanceOf(StreamCheckError);
      retries += 1;
      for (const path of late.splice(0)) renameSync(`${path}.away`, path);
    },
  });
  await expect(importing).resolves.toMatchObject({ blocks: 3 });
  expect(numbers).toEqual([0n, 1n, 2n]);
  expect(retries).toBeGreaterThan(0);
});

test('a live import stays at a file that is wrong everywhere, and goes on when it is replaced', async () => {
  const stream = createSignedStream(folder, keys);
  const files = Array.from({ length: 4 }, () => stream.write());
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  const wrong = files[2]!.records;
  const sound = wrong.map((path) => readFileSync(path));
  for (const path of wrong) writeFileSync(path, readFileSync(files[1]!.records[0]!));
  const stop = new AbortController();
  const numbers: bigint[] = [];
  const seen: Error[] = [];
  const importing = mirror.import({
    live: true,
    signal: stop.signal,
    onProgress: ({ block }) => {
      numbers.push(block.number);
      if (block.number === 3n) stop.abort();
    },
    onRetry: (error) => {
      seen.push(error);
      // Not at once: it also stays there when it has looked again.
      if (seen.length === 2) for (const [index, path] of wrong.entries()) writeFileSync(path, sound[index]!);
    },
  });
  await expect(importing).resolves.toMatchObject({ blocks: 4 });
  expect(numbers).toEqual([0n, 1n, 2n, 3n]);
  expect(seen.map((error) => (error as StreamCheckError).transient)).toEqual([false, false]);
});

test('a live import goes on when a whole moment comes after later ones', async () => {
  const stream = createSignedStream(folder, keys);
  const files = Array.from({ length: 4 }, () => stream.write());
  const late = [...files[1]!.records, ...files[1]!.signatures];
  for (const path of late) renameSync(path, `${path}.away`);
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  const stop = new AbortController();
  const numbers: bigint[] = [];
  const codes: string[] = [];
  const importing = mirror.import({
    live: true,
    signal: stop.signal,
    onProgress: ({ block }) => {
      numbers.push(block.number);
      if (block.number === 3n) stop.abort();
    },
    onRetry: (error) => {
      codes.push((error as StreamCheckError).code);
      for (const path of late.splice(0)) renameSync(`${path}.away`, path);
    },
  });
  await expect(importing).resolves.toMatchObject({ blocks: 4 });
  expect(numbers).toEqual([0n, 1n, 2n, 3n]);
  expect(codes).toEqual(['previousHash']);
});

test('a block that could not be written is written later, also when no file comes after it', async () => {
  const stream = createSignedStream(folder, keys);
  stream.write();
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  const stop = new AbortController();
  const errors: string[] = [];
  let failures = 0;
  const failingOnce = (writer: BlockWriter): BlockWriter => ({
    ...writer,
    async writeBlock(changes) {
      const hasBlock = changes.parts.some((part) => 'record_file' in part);
      if (hasBlock && failures++ === 0) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      await writer.writeBlock(changes);
    },
  });
  const options: Partial<ImportStreamOptions> = {
    live: true,
    signal: stop.signal,
    onRetry: (error) => errors.push(error.message),
    onProgress: () => stop.abort(),
  };
  await expect(mirror.import(options, failingOnce)).resolves.toMatchObject({ blocks: 1 });
  expect(errors).toEqual([
    expect.stringMatching(/: block 0 could not be written: connection refused\. Check that PostgreSQL/),
  ]);
  expect(await recordFiles(mirror.db)).toHaveLength(1);
});

test('balances are written down two minutes after the first block, then every quarter of an hour', async () => {
  const stream = createSignedStream(folder, keys);
  const start = 1_700_000_000_123_456_789n;
  const minute = 60_000_000_000n;
  const atMinutes = [0n, 1n, 2n, 16n, 17n];
  // What counts is when the transactions were, not the names of the files.
  for (const minutes of atMinutes) stream.write({ items: [transferItem(start + minutes * minute, 5n)] });
  const mirror = await createMirror(folder, writeAddressBook(stream.addressBook.nodes));
  await mirror.import();
  const snapshots = await mirror.db.query({
    name: 'test-snapshots',
    text: 'select consensus_timestamp, count, synthetic, name from account_balance_file order by consensus_timestamp',
  });
  expect(snapshots).toEqual([
    {
      consensus_timestamp: start + 2n * minute,
      count: 1n,
      synthetic: true,
      name: '2023-11-14T22_15_20.123456789Z_Balances.pb.gz',
    },
    {
      consensus_timestamp: start + 17n * minute,
      count: 1n,
      synthetic: true,
      name: '2023-11-14T22_30_20.123456789Z_Balances.pb.gz',
    },
  ]);
});
