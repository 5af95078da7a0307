// Documents of items of record files for clients that know any address book of the network: nodes come and go, books
// are written in several parts, and record files have every version.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProvenRecord, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { typeNumber } from '../../packages/protocol/hapi/transaction-types.ts';
import { writeAddressBook } from '../../packages/simulated-network/formats/write-address-book.ts';
import { toLong } from '../../packages/simulated-network/ledger/hapi-values.ts';
import { itemKinds, writeItem } from '../../packages/streams/block-stream/block-item.ts';
import type { RawItem } from '../../packages/streams/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../packages/streams/record-stream/record-file.ts';
import { readRecordSignatures } from '../../packages/streams/record-stream/record-signatures.ts';
import { openMirror } from '../../packages/test-support/proofs/open-mirror.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { createSignedStream, createTestKeys, transferItem } from '../../packages/test-support/streams/signed-stream.ts';
import { ProofUnavailable } from '../../src/ledger/proofs/proof-unavailable.ts';
import {
  makeRecordDocument,
  type RecordDocument,
  type RecordQuestion,
} from '../../src/ledger/proofs/record/make-record-document.ts';
import { consensusTimeOf } from '../../src/ledger/proofs/record/signed-record.ts';
import { findSchemaErrors } from './check-schema.ts';
import { findAcceptedFlips } from './flip-bits.ts';

/** Four nodes at a time: in each epoch the oldest goes, and a new one comes. */
const nodesAtATime = 4;
const epochs = 8;
const versions = [2, 5, 6] as const;

type Unit = Pick<RecordQuestion, 'block' | 'unit'>;
const folder = mkdtempSync(join(tmpdir(), 'record-books-'));
const units = new Map<bigint, Unit>();
/** Content of the book of each epoch, and the consensus times of a transfer in it. */
const books: Buffer[] = [];
const transfers: bigint[] = [];
let stored: StoredRows;

const stream = createSignedStream(folder, createTestKeys(epochs + nodesAtATime - 1));
const membersOf = (epoch: number) => Array.from({ length: nodesAtATime }, (_, at) => epoch + at);

function fileItem(time: bigint, change: proto.ITransactionBody, status = 22): RawItem {
  const consensusTimestamp = { seconds: toLong(time / 1_000_000_000n), nanos: Number(time % 1_000_000_000n) };
  const transactionID = { accountID: { accountNum: toLong(2n) }, transactionValidStart: consensusTimestamp };
  const bodyBytes = proto.TransactionBody.encode({ transactionID, ...change }).finish();
  const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes, sigMap: {} }).finish();
  const record = { receipt: { status }, consensusTimestamp, transactionID };
  return {
    transaction: Buffer.from(proto.Transaction.encode({ signedTransactionBytes }).finish()),
    record: Buffer.from(proto.TransactionRecord.encode(record).finish()),
  };
}

/** @param signatures signature files */
function toUnit(record: Buffer, signatures: readonly Buffer[]): Unit['unit'] {
  return { kind: 'record', record, signatures: readRecordSignatures(readRecordFile(record), signatures) };
}

/** The signature files of each unit. */
const signatureFiles = new Map<Unit, Buffer[]>();

/** Writes the next record file, signed by these nodes. */
function writeUnit(items: RawItem[], times: bigint[], nodes: number[], version: 2 | 5 | 6 = 6): Unit {
  const written = stream.write({ items, nodes, version });
  const bytes = readFileSync(written.records[nodes[0]!]!);
  const record = version === 6 ? gunzipSync(bytes) : bytes;
  const signatures = nodes.map((node) => readFileSync(written.signatures[node]!));
  const hash = readRecordFile(record).hash.toString('hex');
  const block = { number: BigInt(units.size), hash, consensusStart: consensusTimeOf(items[0]!)! };
  const made: Unit = { block, unit: toUnit(record, signatures) };
  signatureFiles.set(made, signatures);
  for (const time of times) units.set(time, made);
  return made;
}

beforeAll(async () => {
  const rows: Parameters<typeof storeRows>[0][number][] = [];
  const fileID = { fileNum: toLong(102n) };
  // As the files are named.
  const timeOfFile = (file: number) => 1_700_000_000_123_456_789n + 2_000_000_000n * BigInt(file);
  let time = 0n;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const contents = writeAddressBook(membersOf(epoch).map((node) => stream.addressBook.nodes[node]!));
    books.push(contents);
    const [start, file_id] = [time + 1n, 102n];
    rows.push({ table: 'address_book', row: { start_consensus_timestamp: start, file_id, file_data: contents } });
    const transferTime = timeOfFile(3 * epoch) + 5n;
    transfers.push(transferTime);
    const [before, own] = [transferItem(transferTime - 5n, 7n), transferItem(transferTime, 8n)];
    writeUnit([before, own], [transferTime], membersOf(epoch), versions[epoch % 3]);
    if (epoch === epochs - 1) break;
    // The next book: written in three parts by nodes of this one, the last two in one file.
    const next = writeAddressBook(membersOf(epoch + 1).map((node) => stream.addressBook.nodes[node]!));
    const cuts = [0, 800, 1500, next.length];
    const parts = [0, 1, 2].map((at) => next.subarray(cuts[at], cuts[at + 1]));
    const times = [timeOfFile(3 * epoch + 1), timeOfFile(3 * epoch + 2) + 1n, timeOfFile(3 * epoch + 2) + 2n];
    const items = parts.map((contents, at) =>
      fileItem(times[at]!, at === 0 ? { fileUpdate: { fileID, contents } } : { fileAppend: { fileID, contents } }),
    );
    const failed = fileItem(times[2]! + 5n, { fileUpdate: { fileID, contents: books[0]! } }, 7);
    writeUnit([items[0]!], [times[0]!], membersOf(epoch), versions[(epoch + 1) % 3]);
    const last = [transferItem(times[1]! - 1n, 1n), items[1]!, items[2]!, failed];
    writeUnit(last, times.slice(1), membersOf(epoch), versions[(epoch + 2) % 3]);
    for (const [at, part] of parts.entries()) {
      const transaction_type = BigInt(at === 0 ? typeNumber.fileUpdate : typeNumber.fileAppend);
      const row = { consensus_timestamp: times[at], entity_id: file_id, file_data: part, transaction_type };
      rows.push({ table: 'file_data', row });
    }
    time = times[2]!;
  }
  stored = await storeRows(rows);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stored?.close();
});

const sha384 = (content: Buffer) => createHash('sha384').update(content).digest();

async function readUnitAt(time: bigint): Promise<Unit> {
  const unit = units.get(time);
  if (unit) return unit;
  throw new ProofUnavailable('No such unit.');
}

/** Of the transfer of an epoch. */
function ask(epoch: number, known: number | null, more: Partial<RecordQuestion> = {}) {
  const consensusTimestamp = transfers[epoch]!;
  return makeRecordDocument({
    ...units.get(consensusTimestamp)!,
    db: stored.db,
    system: usualRealm,
    consensusTimestamp,
    book: known === null ? null : sha384(books[known]!),
    readUnitAt,
    ...more,
  });
}

const verify = (document: object, book: Buffer) =>
  verifyProof(document, { addressBookHash: sha384(book).toString('hex') }) as ProvenRecord;

describe('an item of a record file', () => {
  it('is proved by the book that was valid, where none is named', async () => {
    for (let epoch = 0; epoch < epochs; epoch++) {
      const document = await ask(epoch, null);
      expect(findSchemaErrors(document)).toBeNull();
      expect(document).not.toHaveProperty('updates');
      expect(verify(document, books[epoch]!)).toMatchObject({ signers: 2, nodes: nodesAtATime });
      const addressBookHash = sha384(books[epoch]!).toString('hex');
      expect(await findAcceptedFlips(document, { addressBookHash }, isLong ? 60 : 20)).toEqual([]);
    }
  });

  it.skipIf(isLong)(
    'is proved to a client that knows any book before, by as few updates as the signatures allow',
    async () => {
      const place = fc.nat(epochs - 1);
      await fc.assert(
        fc.asyncProperty(place, place, async (one, other) => {
          const [known, epoch] = one < other ? [one, other] : [other, one];
          const document = await ask(epoch, known);
          expect(findSchemaErrors(document)).toBeNull();
          // Two of the four nodes have to stay: each step spans three epochs, since a book is written in the epoch before
          // it.
          expect(document.updates?.length ?? 0).toBe(Math.max(0, Math.ceil((epoch - known - 2) / 3)));
          const { item } = verify(document, books[known]!);
          expect(Buffer.from(item.record).toString('hex')).toBe(document.item.record);
          expect(item.transaction).toEqual(new Uint8Array(transferItem(transfers[epoch]!, 8n).transaction));
        }),
        { numRuns: 40 },
      );
    },
  );

  it('with updates is refused with any bit that differs', async () => {
    const document = await ask(epochs - 1, 0);
    expect(document.updates).toHaveLength(2);
    expect(document.updates!.map((pieces) => pieces.length)).toEqual([3, 3]);
    const addressBookHash = sha384(books[0]!).toString('hex');
    expect(await findAcceptedFlips(document, { addressBookHash }, isLong ? 200 : 60)).toEqual([]);
  });

  it.skipIf(isLong)('is proved to a client that knows a newer book, while enough of its nodes had signed', async () => {
    const document = await ask(3, 5);
    expect(document).not.toHaveProperty('updates');
    expect(verify(document, books[5]!).signers).toBe(2);
    await expect(ask(3, 6)).rejects.toThrow('No signatures lead from the address book');
  });

  it.skipIf(isLong)('of any place in its file is proved, and the first where none is named', async () => {
    const { block, unit } = units.get(transfers[2]!)!;
    const document = await ask(2, null, { block, unit, consensusTimestamp: null });
    expect(verify(document, books[2]!).block).toBe(readRecordFile((unit as { record: Buffer }).record).blockNumber);
    expect(document.item.transaction).toBe(transferItem(transfers[2]! - 5n, 7n).transaction.toString('hex'));
  });
});

describe.skipIf(isLong)('there is no document', () => {
  const reason = (asked: Promise<unknown>) =>
    asked.then(
      () => 'a document',
      (error: unknown) => (error instanceof ProofUnavailable ? error.message : `${error}`),
    );

  it('for a client that names a book of another network', async () => {
    expect(await reason(ask(3, null, { book: Buffer.alloc(48, 7) }))).toContain(
      'No address book of that hash is stored',
    );
  });

  it('without the files of an update', async () => {
    const gone = async () => {
      throw new ProofUnavailable('The source no longer has it.', true);
    };
    const error = await ask(5, 0, { readUnitAt: gone }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      isTemporary: true,
      message: expect.stringContaining('The source no longer has it.'),
    });
  });

  it('takes nearer books where the files of the farthest are gone', async () => {
    // The update to the book of epoch 3 cannot be read, those to epochs 1 and 2 can.
    const lost = [...units.keys()].filter((time) => time > transfers[2]! && time < transfers[3]!);
    const partly = async (time: bigint) => {
      if (lost.includes(time)) throw new ProofUnavailable('Gone.');
      return readUnitAt(time);
    };
    const document = await ask(4, 0, { readUnitAt: partly });
    expect(document.updates).toHaveLength(1);
    expect(verify(document, books[0]!).signers).toBe(2);
  });

  it('of a file that too few nodes have signed, or whose signature files are bad', async () => {
    const { block, unit } = units.get(transfers[3]!)!;
    const { record } = unit as { record: Buffer };
    const signatures = signatureFiles.get(units.get(transfers[3]!)!)!;
    const of = (changed: Buffer[]) => ask(3, null, { block, unit: toUnit(record, changed) });
    // Version 2 ends with the signature.
    const broken = signatures.map((bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1)! ^ 1)]));
    const foreign = signatureFiles.get(units.get(transfers[5]!)!)!;
    const few = (count: number) =>
      `Signatures of ${count} of 4 nodes of the address book were found, and a proof takes a third of them`;
    expect(await reason(of([]))).toBe(few(0));
    expect(await reason(ask(3, 3, { block, unit: toUnit(record, []) }))).toBe(few(0));
    expect(await reason(of([signatures[0]!, signatures[0]!]))).toBe(few(1));
    expect(await reason(of([...broken, ...foreign, Buffer.alloc(0), Buffer.of(9, 9), signatures[3]!]))).toBe(few(1));
    const document = await of([...broken, ...foreign, Buffer.alloc(0), signatures[3]!, signatures[1]!]);
    expect(document.signatures.map(({ node }) => node)).toEqual([1, 3]);
  });

  it('of a transaction that the file does not have, or of another file than the imported one', async () => {
    const time = transfers[2]! + 1n;
    expect(await reason(ask(2, null, { consensusTimestamp: time }))).toContain('The record file has no transaction of');
    const { block } = units.get(transfers[3]!)!;
    expect(await reason(ask(2, null, { block }))).toContain('another record file than the one that was imported');
    const signatures = { file: [], metadata: [] };
    const unit: RecordQuestion['unit'] = { kind: 'record', record: Buffer.of(0, 0, 0, 6, 255), signatures };
    expect(await reason(ask(2, null, { unit }))).toContain('The record file cannot be read');
    const garbage = [itemKinds.recordFile, itemKinds.blockProof].map((kind) => writeItem(kind, Buffer.of(34, 9, 1)));
    const inBlock = ask(2, null, { unit: { kind: 'block', items: garbage } });
    expect(await reason(inBlock)).toContain('The record file cannot be read');
    expect(await reason(ask(2, null, { unit: { kind: 'block', items: [] } }))).toContain(
      'no signatures of a record file',
    );
  });
});

describe.skipIf(isLong)('a mirror of that network', () => {
  it('hands documents over to clients that know any book before, of the source and of what it has kept', async () => {
    for (const options of [{ withSource: true }, { withSource: false, keepsFiles: true }]) {
      const mirror = await openMirror(folder, { addressBook: books[0]!, ...options });
      try {
        for (const [known, epoch] of [
          [0, 0],
          [0, 2],
          [0, 7],
          [1, 5],
          [3, 6],
          [6, 7],
        ] as const) {
          const [seconds, nanos] = [transfers[epoch]! / 1_000_000_000n - 5n, `${transfers[epoch]! % 1_000_000_000n}`];
          const of = `transactions/0.0.2-${seconds}-${nanos.padStart(9, '0')}/proof`;
          const { status, body } = await mirror.ask(`${of}?book=${sha384(books[known]!).toString('hex')}`);
          expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
          expect(findSchemaErrors(body)).toBeNull();
          // Not all signatures are there: only some are kept, or read again. Then there are more steps than need be.
          const { updates = [] } = body as RecordDocument;
          expect(updates.length).toBeLessThanOrEqual(epoch - known);
          expect(verify(body as object, books[known]!)).toMatchObject({ signers: 2, nodes: nodesAtATime });
        }
      } finally {
        await mirror.close();
      }
    }
  });
});
