// Proofs of items of record files, also of those inside blocks, by the signatures of an address book.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type ProvenRecord, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { writeAddressBook } from '../../packages/simulated-network/formats/write-address-book.ts';
import { toLong } from '../../packages/simulated-network/ledger/hapi-values.ts';
import { splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import type { RawItem } from '../../packages/streams/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../packages/streams/record-stream/record-file.ts';
import { readRecordSignatures } from '../../packages/streams/record-stream/record-signatures.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import {
  createSignedStream,
  createTestKeys,
  type SignedStream,
  transferItem,
} from '../../packages/test-support/streams/signed-stream.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { readBookKeys } from '../../src/ledger/proofs/record/book-keys.ts';
import type { RecordDocument } from '../../src/ledger/proofs/record/make-record-document.ts';
import { proveItem } from '../../src/ledger/proofs/record/prove-item.ts';
import {
  openSignedRecord,
  openWrappedRecord,
  type SignedRecord,
} from '../../src/ledger/proofs/record/signed-record.ts';
import { findSchemaErrors } from './check-schema.ts';
import { findAcceptedFlips } from './flip-bits.ts';
import { otherHex } from './other-hex.ts';

// Flips of files of a megabyte, on a busy machine.
vi.setConfig({ testTimeout: 300_000 });
const flips = Number(process.env.DOCUMENT_FLIPS ?? (isLong ? 60 : 12));

const streams = findRealData('streams');
const real = findRealData('');
const verify = (document: object, addressBookHash: string) =>
  verifyProof(document, { addressBookHash }) as ProvenRecord;
const hashOf = (book: Buffer) => createHash('sha384').update(book).digest('hex');

/** The document of one item, by the signatures of the metadata where there are enough. */
async function documentOf(record: SignedRecord, index: number, book: Buffer): Promise<RecordDocument> {
  const proof = await proveItem(record, record.file.items[index]!, readBookKeys(book)!);
  if (typeof proof === 'number') throw new Error(`only ${proof} nodes have signed`);
  return { version: 1, kind: 'record', ...proof, addressBook: book.toString('hex') };
}

const byFile = (record: SignedRecord): SignedRecord => ({
  ...record,
  signatures: { ...record.signatures, metadata: [] },
});

const openFile = (bytes: Buffer, signatureFiles: readonly Buffer[]) =>
  openSignedRecord(bytes, readRecordSignatures(readRecordFile(bytes), signatureFiles));

/** The first copy of each record file below a folder of a bucket's layout, and the signatures of all nodes. */
function readSigned(folder: string): SignedRecord[] {
  const nodes = readdirSync(folder).map((name) => join(folder, name));
  const names = readdirSync(nodes[0]!).filter((name) => /[.]rcd([.]gz)?$/.test(name));
  return names.map((name) => {
    const [holder] = nodes.filter((node) => readdirSync(node).includes(name));
    const bytes = readFileSync(join(holder!, name));
    const signatureName = name.replace(/[.]rcd([.]gz)?$/, '.rcd_sig');
    const signers = nodes.filter((node) => readdirSync(node).includes(signatureName));
    const signatures = signers.map((node) => readFileSync(join(node, signatureName)));
    return openFile(name.endsWith('.gz') ? gunzipSync(bytes) : bytes, signatures);
  });
}

async function checkDocument(document: RecordDocument, book: Buffer, expected: { nodes: number; signers: number }) {
  const trusted = hashOf(book);
  expect(findSchemaErrors(document)).toBeNull();
  const proven = verify(document, trusted);
  expect([proven.nodes, proven.signers]).toEqual([expected.nodes, expected.signers]);
  expect(Buffer.from(proven.item.record).toString('hex')).toBe(document.item.record);
  expect(await findAcceptedFlips(document, { addressBookHash: trusted }, flips)).toEqual([]);
  expect(() => verify(document, otherHex(trusted))).toThrow('not the trusted one');
  return proven;
}

const sets = [
  ['v2', 'testnet-2019.bin', 2, 4, 2],
  ['mainnet-2019-09-13', 'mainnet-2019.bin', 2, 13, 5],
  ['v5', 'testnet-2019.bin', 5, 4, 2],
  ['v6', 'test-v6-sidecar-4n.bin', 6, 4, 2],
  ['mainnet-2025-07-23', 'mainnet-2025-07-23.bin', 6, 31, 11],
] as const;

describe.skipIf(streams.isAbsent)(`items of real record files${streams.hint}`, () => {
  it.each(sets)('%s', async (set, bookName, version, nodes, signers) => {
    const book = readFileSync(join(real.path, 'books', bookName));
    for (const record of readSigned(join(streams.path, set, 'recordstreams'))) {
      const { items, blockNumber } = record.file;
      for (const by of version === 2 ? [record] : [record, byFile(record)]) {
        const indexes = [...new Set([0, items.length >> 1, items.length - 1])];
        for (const index of indexes) {
          const document = await documentOf(by, index, book);
          const { block } = await checkDocument(document, book, { nodes, signers });
          expect(block).toBe(by === record && version === 6 ? blockNumber : null);
        }
      }
    }
  });
});

const wrapped = findRealData('blocks/wrapped-mainnet');

describe.skipIf(wrapped.isAbsent)(`items of real blocks around record files${wrapped.hint}`, () => {
  it.each([
    ['0000000000000000000', 'mainnet-2019.bin', 13],
    ['0000000000082297471', 'mainnet-2025-07-23.bin', 31],
  ])('%s', async (name, bookName, nodes) => {
    const book = readFileSync(join(real.path, 'books', bookName));
    const block = unpackBlockFile(readFileSync(join(wrapped.path, `${name}.blk.zstd`)));
    const document = await documentOf(openWrappedRecord(splitBlock(block))!, 0, book);
    await checkDocument(document, book, { nodes, signers: Math.ceil(nodes / 3) });
  });
});

describe('items of the simulated network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-documents-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('of record files', async () => {
    const path = join(folder, 'records');
    const { addressBook: book } = await writeNetwork({ folder: path, seed: 'documents', blocks: 4, transactions: 5 });
    for (const record of readSigned(join(path, 'recordstreams'))) {
      for (const index of record.file.items.keys()) {
        const chain = await documentOf(record, index, book);
        expect(verify(chain, hashOf(book)).block).toBe(record.file.blockNumber);
      }
      await checkDocument(await documentOf(byFile(record), 1, book), book, { nodes: 3, signers: 1 });
    }
  });

  it('of blocks around record files, by a third of the nodes and not by fewer', async () => {
    const path = join(folder, 'wrapped');
    const { addressBook: book } = await writeNetwork({
      folder: path,
      seed: 'documents',
      format: 'wrapped',
      nodes: 4,
      blocks: 3,
      transactions: 5,
    });
    for (const block of readBlocks(join(path, 'blocks'))) {
      const record = openWrappedRecord(splitBlock(block))!;
      const document = await documentOf(record, 0, book);
      await checkDocument(document, book, { nodes: 4, signers: 2 });
      const less = { ...document, signatures: document.signatures.slice(1) };
      expect(() => verify(less, hashOf(book))).toThrow('signed by 1 of 4 nodes: less than a third');
      const twice = { ...document, signatures: [document.signatures[0], document.signatures[0]] };
      expect(() => verify(twice, hashOf(book))).toThrow('no node of the address book, or there twice');
    }
  });

  const readRecords = () => ({
    files: readSigned(join(folder, 'records', 'recordstreams')),
    book: readFileSync(join(folder, 'records', 'addressbook.bin')),
  });

  it.skipIf(isLong)('is not an item of the file before, whose running hash leads to this one as well', async () => {
    const { files, book } = readRecords();
    const [first, second, whole, withFirst] = (await Promise.all([
      documentOf(files[1]!, 0, book),
      documentOf(files[2]!, 1, book),
      documentOf(files[2]!, 0, book),
      documentOf(files[2]!, 1, book),
    ])) as [RecordDocument, RecordDocument, RecordDocument, RecordDocument];
    const later = [withFirst.chain!.before[0]!, ...whole.chain!.after];
    const after = [...first.chain!.after, ...later];
    const joined = { ...second, item: first.item, chain: { ...second.chain!, before: first.chain!.before, after } };
    expect(() => verify(joined, hashOf(book))).toThrow('do not lead to the end running hash');
    const moved = { ...joined, chain: { ...joined.chain, start: first.chain!.start } };
    expect(() => verify(moved, hashOf(book))).toThrow('a signature is not of this record file');
  });

  it.skipIf(isLong)('is not an item that only looks like one, across two real ones', async () => {
    const { files, book } = readRecords();
    const document = await documentOf(byFile(files[0]!), 1, book);
    // One byte moves from the item to what is before it: the same file, divided elsewhere.
    const moved = { ...document, file: { ...document.file!, before: document.file!.before.slice(0, -2) } };
    expect(() => verify(moved, hashOf(book))).toThrow('the record file');
  });
});

describe('an address book that the client does not know', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'book-updates-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A transaction that changed a file and succeeded, at this second. */
  function fileItem(second: number, change: proto.ITransactionBody, status = 22): RawItem {
    const bodyBytes = proto.TransactionBody.encode(change).finish();
    const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes, sigMap: {} }).finish();
    const record = { receipt: { status }, consensusTimestamp: { seconds: toLong(BigInt(second)), nanos: 1 } };
    return {
      transaction: Buffer.from(proto.Transaction.encode({ signedTransactionBytes }).finish()),
      record: Buffer.from(proto.TransactionRecord.encode(record).finish()),
    };
  }
  const fileID = { fileNum: toLong(102n) };
  const update = (contents: Buffer, second: number, status?: number) =>
    fileItem(second, { fileUpdate: { fileID, contents } }, status);
  const append = (contents: Buffer, second: number) => fileItem(second, { fileAppend: { fileID, contents } });

  const [old, next] = [3, 4].map((nodes, place) =>
    createSignedStream(join(folder, `${place}`), createTestKeys(nodes)),
  ) as [SignedStream, SignedStream];
  const [oldBook, nextBook] = [old, next].map(({ addressBook }) => writeAddressBook(addressBook.nodes)) as [
    Buffer,
    Buffer,
  ];

  function signedOf(stream: SignedStream, book: Buffer, items: RawItem[], version: 5 | 6 = 6): Promise<RecordDocument> {
    const { records, signatures } = stream.write({ items, version });
    const bytes = readFileSync(records[0]!);
    const signed = signatures.map((path) => readFileSync(path));
    return documentOf(openFile(version === 6 ? gunzipSync(bytes) : bytes, signed), 0, book);
  }
  async function piece(items: RawItem[], version?: 5 | 6) {
    const { recordVersion, item, chain, signatures } = await signedOf(old, oldBook, items, version);
    return { recordVersion, item, chain, signatures };
  }
  const cut = 700;
  const pieces = [
    await piece([update(nextBook.subarray(0, cut), 10)]),
    await piece([append(nextBook.subarray(cut), 11)], 5),
  ];
  const own = await signedOf(next, nextBook, [transferItem(20_000_000_000n, 5n)]);
  const document = { ...own, addressBook: oldBook.toString('hex'), updates: [pieces] };
  const trusted = hashOf(oldBook);

  it('follows from one that it knows', async () => {
    expect(findSchemaErrors(document)).toBeNull();
    expect(verify(document, trusted)).toMatchObject({ signers: 2, nodes: 4, block: 0n });
    expect(await findAcceptedFlips(document, { addressBookHash: trusted }, flips)).toEqual([]);
  });

  const failed = 7;
  /** Now and then such a signature is a number above the modulus. */
  const ofOtherKeys = /is not of this record file|another length than its key/;
  it.skipIf(isLong).each<[string, () => object[][] | Promise<object[][]>, string | RegExp]>([
    ['without an update', () => [], ofOtherKeys],
    ['without its last part', () => [[pieces[0]!]], 'is cut off'],
    ['with its parts in another order', () => [[pieces[1]!, pieces[0]!]], 'has not changed the address book'],
    ['with a part twice', () => [[pieces[0]!, pieces[1]!, pieces[1]!]], 'not later than the one before'],
    [
      'of an update that failed',
      async () => [[await piece([update(nextBook, 30, failed)])]],
      'has not changed the address book',
    ],
    [
      'of an update of nothing',
      async () => [[await piece([update(Buffer.alloc(0), 30)])]],
      'the address book has no keys',
    ],
    [
      'of an update of something else',
      async () => [[await piece([transferItem(1n, 1n)])]],
      'has not changed the address book',
    ],
    [
      'of an update that its own nodes have signed',
      async () => {
        const {
          addressBook: _,
          version: __,
          kind: ___,
          ...self
        } = await signedOf(next, nextBook, [update(nextBook, 30)]);
        return [[self]];
      },
      ofOtherKeys,
    ],
  ])('%s it is refused', async (_name, updates, reason) => {
    const other = { ...document, updates: await updates() };
    expect(() => verify(other, trusted)).toThrow(reason);
  });
});
