// How the address book that a client knows became a newer one: the items of record files that wrote it, each proved by
// nodes of the book before. The fewest steps that the signatures allow: nodes that stay vouch for many books at once.

import type { Database } from '../../../../packages/postgres/wire/database.ts';
import { findVarintWithin, findWithin } from '../../../../packages/protocol/plain-fields.ts';
import { selectAddressBookAt, selectAddressBookStarts } from '../../../../packages/store/read/select-address-books.ts';
import { selectFileChanges } from '../../../../packages/store/read/select-file-changes.ts';
import { selectFileVersion } from '../../../../packages/store/read/select-file-version.ts';
import type { RawItem } from '../../../../packages/streams/record-stream/raw-record-file.ts';
import { ProofUnavailable } from '../proof-unavailable.ts';
import { type BookKey, readBookKeys } from './book-keys.ts';
import { findItem, proveItem, type RecordProof } from './prove-item.ts';
import type { SignedRecord } from './signed-record.ts';

export type Book = { start: bigint; fileId: bigint; content: Buffer; keys: BookKey[] };

export type BookReader = {
  /** The newest one that was valid then, ns. Throws ProofUnavailable. */
  bookAt(time: bigint): Promise<Book>;
  /** A newer book up to that time, as new as the signatures of nodes of this one allow. Throws ProofUnavailable. */
  followBook(book: Book, upTo: bigint): Promise<{ book: Book; pieces: RecordProof[] }>;
};

export type BookReaderOptions = {
  db: Database;
  /** Of the file that has the keys; several where earlier versions of this program stored it under another id. */
  fileIds: readonly bigint[];
  /** The record file with the item of this consensus time. Throws ProofUnavailable. */
  readRecordAt(consensusTimestamp: bigint): Promise<SignedRecord>;
};

/** Record files that are read for one document: a book of mainnet is written in about eight. */
const maxPieces = 100;

export function createBookReader({ db, fileIds, readRecordAt }: BookReaderOptions): BookReader {
  let piecesLeft = maxPieces;

  async function bookAt(time: bigint): Promise<Book> {
    const row = await selectAddressBookAt(db, fileIds, time);
    if (!row) throw new ProofUnavailable('No address book of that time is stored');
    return toBook(row);
  }

  /** null: not by these keys, or not as items of record files. */
  async function proveBook({ start, fileId, content }: Book, keys: readonly BookKey[]): Promise<RecordProof[] | null> {
    const upTo = start - 1n;
    const written = await selectFileVersion(db, fileId, upTo);
    if (!written?.content.equals(content)) return null;
    const pieces: RecordProof[] = [];
    const contents: Buffer[] = [];
    for (const time of await selectFileChanges(db, fileId, { after: written.startTimestamp - 1n, upTo })) {
      if (piecesLeft-- === 0) {
        throw new ProofUnavailable(
          `More than ${maxPieces} record files would have to be read: name a newer address book`,
        );
      }
      const record = await readRecordAt(time);
      const item = findItem(record, time);
      const part = readPiece(item, pieces.length === 0 ? fileUpdate : fileAppend);
      if (!part?.length) continue;
      const proof = await proveItem(record, item, keys);
      if (typeof proof === 'number') return null;
      pieces.push(proof);
      contents.push(part);
    }
    return Buffer.concat(contents).equals(content) ? pieces : null;
  }

  return {
    bookAt,
    async followBook(book, upTo) {
      const starts = await selectAddressBookStarts(db, fileIds, { after: book.start, upTo });
      let problem: ProofUnavailable | null = null;
      for (const start of starts.toReversed()) {
        // It was written while the book before it was valid.
        if (!isThirdOf(book.keys, (await bookAt(start - 1n)).keys)) continue;
        const next = await bookAt(start);
        try {
          const pieces = await proveBook(next, book.keys);
          if (pieces) return { book: next, pieces };
        } catch (error) {
          if (!(error instanceof ProofUnavailable) || piecesLeft < 0) throw error;
          problem ??= error;
        }
      }
      const reason = problem ? `: ${problem.message}` : '';
      const message = `No signatures lead from the address book that you name to the one of that time${reason}`;
      throw new ProofUnavailable(message, problem?.isTemporary);
    },
  };
}

/** Throws ProofUnavailable. */
export function toBook(row: Omit<Book, 'keys'>): Book {
  const keys = readBookKeys(row.content);
  if (keys) return { ...row, keys };
  throw new ProofUnavailable('The address book has a form that proof documents do not have, or no keys');
}

/** Only then may enough of them have signed. */
function isThirdOf(keys: readonly BookKey[], signers: readonly BookKey[]): boolean {
  const known = new Set(signers.map(({ hex }) => hex));
  return 3 * keys.filter(({ hex }) => known.has(hex)).length >= keys.length;
}

/** Fields of TransactionBody, and of the file id in them. */
const fileUpdate = { body: 19, fileId: 1 };
const fileAppend = { body: 16, fileId: 2 };
const bookFiles: readonly unknown[] = [101n, 102n];
const success = 22n;

/** What the item wrote to the file of the address book; null: nothing, as verifiers read it. */
function readPiece({ transaction, record }: RawItem, { body, fileId }: typeof fileUpdate): Buffer | null {
  const signed = findWithin(transaction, 5);
  const change = signed?.length ? findWithin(signed, 1, body) : findWithin(transaction, 4, body);
  if (!change || !bookFiles.includes(findVarintWithin(change, fileId, 3))) return null;
  return findVarintWithin(record, 1, 1) === success ? findWithin(change, 4) : null;
}
