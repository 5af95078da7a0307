// Proof documents of items of record files, also of those inside blocks (docs/reference/proof-documents.md): from files
// of the stream, and the address books that the database has.

import type { Database } from '../../../../packages/postgres/wire/database.ts';
import {
  type SystemEntity,
  type SystemRealm,
  systemEntityId,
  usualRealm,
} from '../../../../packages/protocol/hapi/system-entity.ts';
import { sha384 } from '../../../../packages/protocol/sha384.ts';
import { StreamFileError } from '../../../../packages/protocol/stream-file-error.ts';
import { selectAddressBookOfHash } from '../../../../packages/store/read/select-address-books.ts';
import type { StoredUnit } from '../../../../packages/store/read/select-proof-parts.ts';
import type { UnitFiles } from '../../../../packages/streams/block-stream/unit-files.ts';
import { ProofUnavailable } from '../proof-unavailable.ts';
import { type Book, createBookReader, toBook } from './book-updates.ts';
import { findItem, proveItem, type RecordProof } from './prove-item.ts';
import { openSignedRecord, openWrappedRecord, type SignedRecord } from './signed-record.ts';

type UnitOfBlock = { block: Pick<StoredUnit, 'number' | 'hash' | 'consensusStart'>; unit: UnitFiles };

export type RecordQuestion = UnitOfBlock & {
  db: Database;
  system: SystemRealm;
  /** Of the item, ns; null: any item of the block. */
  consensusTimestamp: bigint | null;
  /**
   * SHA-384 of the address book that the client knows; null: none is named, which stands for the one that was valid.
   */
  book: Buffer | null;
  /** The files of the stored block with this consensus time. Throws ProofUnavailable. */
  readUnitAt(consensusTimestamp: bigint): Promise<UnitOfBlock>;
};

export type RecordDocument = RecordProof & {
  version: 1;
  kind: 'record';
  /** Hex. */
  addressBook: string;
  updates?: RecordProof[][];
};

/** Throws ProofUnavailable. */
export async function makeRecordDocument(question: RecordQuestion): Promise<RecordDocument> {
  const { db, system, consensusTimestamp, book: named, readUnitAt } = question;
  const record = openUnit(question);
  const item = findItem(record, consensusTimestamp);
  const fileIds = bookIds('nodeDetails', system);
  const books = createBookReader({ db, fileIds, readRecordAt: async (time) => openUnit(await readUnitAt(time)) });
  // One that a file brings counts from the next file on.
  const time = question.block.consensusStart;
  const valid = await books.bookAt(time);
  const known = named ? await findKnownBook(question, valid, named, time) : valid;
  let book = known;
  const updates: RecordProof[][] = [];
  let proof = await proveItem(record, item, book.keys);
  while (typeof proof === 'number') {
    if (book.content.equals(valid.content)) throw tooFew(proof, book);
    const next = await books.followBook(book, time);
    updates.push(next.pieces);
    book = next.book;
    proof = await proveItem(record, item, book.keys);
  }
  const led = updates.length > 0 && { updates };
  return { version: 1, kind: 'record', ...proof, addressBook: known.content.toString('hex'), ...led };
}

function tooFew(signers: number, { keys }: Book): ProofUnavailable {
  const found = `of ${signers} of ${keys.length} nodes of the address book`;
  return new ProofUnavailable(`Signatures ${found} were found, and a proof takes a third of them`);
}

/** Nodes that a client knows from before the item or from after it: keys last long. */
async function findKnownBook({ db, system }: RecordQuestion, valid: Book, hash: Buffer, at: bigint): Promise<Book> {
  if (sha384(valid.content).equals(hash)) return valid;
  const fileIds = [...bookIds('nodeDetails', system), ...bookIds('addressBook', system)];
  const row = await selectAddressBookOfHash(db, fileIds, hash, at);
  if (row) return toBook(row);
  throw new ProofUnavailable(
    'No address book of that hash is stored: it is none of this network, or older than the mirror',
  );
}

/** Earlier versions stored the initial book as that of shard 0, realm 0, whatever the network. */
function bookIds(file: SystemEntity, system: SystemRealm): bigint[] {
  return [...new Set([systemEntityId(file, system), systemEntityId(file, usualRealm)])];
}

/** What was made of units that are still in memory. */
const openRecords = new WeakMap<UnitFiles, SignedRecord>();

function openUnit({ block, unit }: UnitOfBlock): SignedRecord {
  const record = openRecords.get(unit) ?? readUnit(unit);
  if (record) openRecords.set(unit, record);
  if (record?.file.hash.toString('hex') === block.hash) return record;
  throw new ProofUnavailable(
    record
      ? `The source has another record file than the one that was imported as block ${block.number}`
      : `Block ${block.number} has no signatures of a record file`,
  );
}

function readUnit(unit: UnitFiles): SignedRecord | null {
  try {
    return unit.kind === 'record' ? openSignedRecord(unit.record, unit.signatures) : openWrappedRecord(unit.items);
  } catch (error) {
    if (error instanceof StreamFileError)
      throw new ProofUnavailable(`The record file cannot be read: ${error.message}`);
    throw error;
  }
}
