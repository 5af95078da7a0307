// Proofs of items of record files, also of those inside blocks, by the signatures of an address book.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type ProvenRecord, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { writeAddressBook } from '../../packages/simulated-network/formats/write-address-book.ts';
import { toLong } from '../../packages/simulated-network/ledger/hapi-values.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import {
  createSignedStream,
  createTestKeys,
  type SignedStream,
  transferItem,
} from '../../packages/test-support/streams/signed-stream.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { itemKinds, splitBlock } from '../../src/protocol/block-stream/block-item.ts';
import { blockMessages } from '../../src/protocol/block-stream/block-messages.ts';
import { unpackBlockFile } from '../../src/protocol/block-stream/unpack-block-file.ts';
import { readWrappedRecord } from '../../src/protocol/block-stream/wrapped-record.ts';
import { proto } from '../../src/protocol/hapi/hapi.ts';
import type { RawItem } from '../../src/protocol/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../src/protocol/record-stream/record-file.ts';
import { readSignatureFile } from '../../src/protocol/record-stream/signature-file.ts';
import { findSchemaErrors } from './check-schema.ts';
import { findAcceptedFlips } from './flip-bits.ts';
import { makeRecordDocument, type RecordDocument } from './make-record-document.ts';

// Flips of files of a megabyte, on a busy machine.
vi.setConfig({ testTimeout: 300_000 });
const flips = Number(process.env.DOCUMENT_FLIPS ?? 60);

const streams = findRealData('streams');
const real = findRealData('');
const verify = (document: object, addressBookHash: string) =>
  verifyProof(document, { addressBookHash }) as ProvenRecord;
const hashOf = (book: Buffer) => createHash('sha384').update(book).digest('hex');

type Signed = { file: Buffer; name: string; signatures(of: 'chain' | 'file'): Buffer[] };

/** The first copy of each record file below a folder of a bucket's layout, and the signatures of all nodes. */
function readSigned(folder: string): Signed[] {
  const nodes = readdirSync(folder).map((name) => join(folder, name));
  const names = readdirSync(nodes[0]!).filter((name) => /[.]rcd([.]gz)?$/.test(name));
  return names.map((name) => {
    const holder = nodes.find((node) => readdirSync(node).includes(name))!;
    const bytes = readFileSync(join(holder, name));
    const signatureName = name.replace(/[.]rcd([.]gz)?$/, '.rcd_sig');
    return {
      name,
      file: name.endsWith('.gz') ? gunzipSync(bytes) : bytes,
      signatures: (of) =>
        nodes
          .filter((node) => readdirSync(node).includes(signatureName))
          .map((node) => readSignatureFile(readFileSync(join(node, signatureName))))
          .map(({ file, metadata }) => (of === 'file' ? file : metadata!).signature),
    };
  });
}

async function checkDocument(document: RecordDocument, book: Buffer, expected: { nodes: number; signers: number }) {
  const trusted = hashOf(book);
  expect(findSchemaErrors(document)).toBeNull();
  const proven = verify(document, trusted);
  expect([proven.nodes, proven.signers]).toEqual([expected.nodes, expected.signers]);
  expect(Buffer.from(proven.item.record).toString('hex')).toBe(document.item.record);
  expect(await findAcceptedFlips(document, { addressBookHash: trusted }, flips)).toEqual([]);
  expect(() => verify(document, `${trusted.slice(0, -2)}00`)).toThrow('not the trusted one');
  return proven;
}

const sets = [
  ['v2', 'testnet-2019.bin', 2, 4, 4],
  ['mainnet-2019-09-13', 'mainnet-2019.bin', 2, 13, 7],
  ['v5', 'testnet-2019.bin', 5, 4, 4],
  ['v6', 'test-v6-sidecar-4n.bin', 6, 4, 4],
  ['mainnet-2025-07-23', 'mainnet-2025-07-23.bin', 6, 31, 12],
] as const;

describe.skipIf(streams.isAbsent)(`items of real record files${streams.hint}`, () => {
  it.each(sets)('%s', async (set, bookName, version, nodes, signers) => {
    const book = readFileSync(join(real.path, 'books', bookName));
    for (const { file, signatures } of readSigned(join(streams.path, set, 'recordstreams'))) {
      const { items, blockNumber } = readRecordFile(file);
      for (const by of version === 2 ? (['file'] as const) : (['chain', 'file'] as const)) {
        const indexes = [...new Set([0, items.length >> 1, items.length - 1])];
        for (const index of indexes) {
          const document = makeRecordDocument({ file, index, book, signatures: signatures(by), by });
          const { block } = await checkDocument(document, book, { nodes, signers });
          expect(block).toBe(by === 'chain' && version === 6 ? blockNumber : null);
        }
      }
    }
  });
});

/** The record file in a block, and the signatures in its proof. */
function readWrapped(block: Buffer): { file: Buffer; signatures: Buffer[] } {
  const items = splitBlock(block);
  const content = (kind: number) => items.find((item) => item.kind === kind)!.content;
  const { signedRecordFileProof: proof } = blockMessages.proof.decode(content(itemKinds.blockProof));
  const { bytes } = readWrappedRecord(content(itemKinds.recordFile), proof!.version);
  return { file: bytes, signatures: proof!.recordFileSignatures.map(({ signaturesBytes }) => signaturesBytes) };
}

const wrapped = findRealData('blocks/wrapped-mainnet');

describe.skipIf(wrapped.isAbsent)(`items of real blocks around record files${wrapped.hint}`, () => {
  it.each([
    ['0000000000000000000', 'mainnet-2019.bin'],
    ['0000000000082297471', 'mainnet-2025-07-23.bin'],
  ])('%s', async (name, bookName) => {
    const book = readFileSync(join(real.path, 'books', bookName));
    const { file, signatures } = readWrapped(unpackBlockFile(readFileSync(join(wrapped.path, `${name}.blk.zstd`))));
    const document = makeRecordDocument({ file, index: 0, book, signatures, by: 'file' });
    const proven = verify(document, hashOf(book));
    await checkDocument(document, book, { nodes: proven.nodes, signers: signatures.length });
  });
});

describe('items of the simulated network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-documents-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('of record files', async () => {
    const path = join(folder, 'records');
    const { addressBook: book } = await writeNetwork({ folder: path, seed: 'documents', blocks: 4, transactions: 5 });
    for (const { file, signatures } of readSigned(join(path, 'recordstreams'))) {
      for (const index of readRecordFile(file).items.keys()) {
        const chain = makeRecordDocument({ file, index, book, signatures: signatures('chain'), by: 'chain' });
        expect(verify(chain, hashOf(book)).block).toBe(readRecordFile(file).blockNumber);
      }
      const whole = makeRecordDocument({ file, index: 1, book, signatures: signatures('file'), by: 'file' });
      await checkDocument(whole, book, { nodes: 3, signers: 3 });
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
      const { file, signatures } = readWrapped(block);
      const document = makeRecordDocument({ file, index: 0, book, signatures, by: 'file' });
      await checkDocument(document, book, { nodes: 4, signers: 4 });
      const some = (count: number) => ({ ...document, signatures: document.signatures.slice(0, count) });
      expect(verify(some(2), hashOf(book)).signers).toBe(2);
      expect(() => verify(some(1), hashOf(book))).toThrow('signed by 1 of 4 nodes: less than a third');
      const twice = { ...document, signatures: [document.signatures[0], document.signatures[0]] };
      expect(() => verify(twice, hashOf(book))).toThrow('no node of the address book, or there twice');
    }
  });

  const readRecords = () => ({
    files: readSigned(join(folder, 'records', 'recordstreams')),
    book: readFileSync(join(folder, 'records', 'addressbook.bin')),
  });

  it('is not an item of the file before, whose running hash leads to this one as well', () => {
    const { files, book } = readRecords();
    const [first, second] = [files[1]!, files[2]!].map((one, at) =>
      makeRecordDocument({ file: one.file, index: at, book, signatures: one.signatures('chain'), by: 'chain' }),
    ) as [RecordDocument, RecordDocument];
    const own = files[2]!;
    const whole = makeRecordDocument({
      file: own.file,
      index: 0,
      book,
      signatures: own.signatures('chain'),
      by: 'chain',
    });
    const hashOfFirst = makeRecordDocument({
      ...own,
      book,
      index: 1,
      signatures: own.signatures('chain'),
      by: 'chain',
    });
    const later = [hashOfFirst.chain!.before[0]!, ...whole.chain!.after];
    const after = [...first.chain!.after, ...later];
    const joined = { ...second, item: first.item, chain: { ...second.chain!, before: first.chain!.before, after } };
    expect(() => verify(joined, hashOf(book))).toThrow('do not lead to the end running hash');
    const moved = { ...joined, chain: { ...joined.chain, start: first.chain!.start } };
    expect(() => verify(moved, hashOf(book))).toThrow('a signature is not of this record file');
  });

  it('is not an item that only looks like one, across two real ones', () => {
    const { files, book } = readRecords();
    const { file, signatures } = files[0]!;
    const wanted = { file, index: 1, book, signatures: signatures('file'), by: 'file' } as const;
    const document = makeRecordDocument(wanted);
    // One byte moves from the item to what is before it: the same file, divided elsewhere.
    const moved = { ...document, file: { ...document.file!, before: document.file!.before.slice(0, -2) } };
    expect(() => verify(moved, hashOf(book))).toThrow('the record file');
  });
});

describe('an address book that the client does not know', () => {
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

  function documentOf(stream: SignedStream, book: Buffer, items: RawItem[], version: 5 | 6 = 6): RecordDocument {
    const { records, signatures } = stream.write({ items, version });
    const bytes = readFileSync(records[0]!);
    const signed = signatures.map((path) => readSignatureFile(readFileSync(path)).metadata!.signature);
    const file = version === 6 ? gunzipSync(bytes) : bytes;
    return makeRecordDocument({ file, index: 0, book, signatures: signed, by: 'chain' });
  }
  function piece(items: RawItem[], version?: 5 | 6) {
    const { recordVersion, item, chain, signatures } = documentOf(old, oldBook, items, version);
    return { recordVersion, item, chain, signatures };
  }
  const cut = 700;
  const pieces = [piece([update(nextBook.subarray(0, cut), 10)]), piece([append(nextBook.subarray(cut), 11)], 5)];
  const own = documentOf(next, nextBook, [transferItem(20_000_000_000n, 5n)]);
  const document = { ...own, addressBook: oldBook.toString('hex'), updates: [pieces] };
  const trusted = hashOf(oldBook);

  it('follows from one that it knows', async () => {
    expect(findSchemaErrors(document)).toBeNull();
    expect(verify(document, trusted)).toMatchObject({ signers: 4, nodes: 4, block: 0n });
    expect(await findAcceptedFlips(document, { addressBookHash: trusted }, flips)).toEqual([]);
  });

  const failed = 7;
  it.each<[string, () => object[][], string]>([
    ['without an update', () => [], 'is not of this record file'],
    ['without its last part', () => [[pieces[0]!]], 'is cut off'],
    ['with its parts in another order', () => [[pieces[1]!, pieces[0]!]], 'has not changed the address book'],
    ['with a part twice', () => [[pieces[0]!, pieces[1]!, pieces[1]!]], 'not later than the one before'],
    ['of an update that failed', () => [[piece([update(nextBook, 30, failed)])]], 'has not changed the address book'],
    ['of an update of nothing', () => [[piece([update(Buffer.alloc(0), 30)])]], 'the address book has no keys'],
    ['of an update of something else', () => [[piece([transferItem(1n, 1n)])]], 'has not changed the address book'],
    [
      'of an update that its own nodes have signed',
      () => {
        const { addressBook: _, version: __, kind: ___, ...self } = documentOf(next, nextBook, [update(nextBook, 30)]);
        return [[self]];
      },
      'is not of this record file',
    ],
  ])('%s it is refused', (_name, updates, reason) => {
    expect(() => verify({ ...document, updates: updates() }, trusted)).toThrow(reason);
  });
});
