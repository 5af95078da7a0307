// The publication of a ledger id: a system transaction, which says the network's first address book, whose hash the id is, and
// the key that its WRAPS proofs are verified with.
import { type AddressBook, type BookEntry, maxBookEntries, readAddressBook } from './address-book.ts';
import { readCanonicalMessage } from './canonical-message.ts';
import { isSameBytes, scalarLength, toHex } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';
import { wrapsKeyLength } from './wraps-key.ts';

export type Publication = {
  /** 32 bytes: the hash of the book. */
  ledgerId: Uint8Array;
  book: AddressBook;
  /** 1768 bytes, not decoded. */
  wrapsKey: Uint8Array;
  /** The message itself. */
  content: Uint8Array;
};

/** The message in the transaction body. Hashing the book takes some 40 ms. Throws ProofRefusal. */
export function readPublication(content: Uint8Array): Publication {
  const message = readMessage(content);
  const [ledgerId, wrapsKey] = [message.bytes(1), message.bytes(2)];
  if (ledgerId?.length !== scalarLength) {
    return refuse('publication', `a ledger id of ${scalarLength} bytes`, `${ledgerId?.length ?? 'none'}`);
  }
  if (wrapsKey?.length !== wrapsKeyLength) {
    return refuse('publication', `a WRAPS key of ${wrapsKeyLength} bytes`, `${wrapsKey?.length ?? 'none'}`);
  }
  const book = readAddressBook(message.list(3).map(readEntry));
  if (!isSameBytes(book.hash, ledgerId)) {
    refuse('publication', `an address book whose hash is ledger id ${toHex(ledgerId)}`, toHex(book.hash));
  }
  return { ledgerId, book, wrapsKey, content };
}

/** The nodes of one that was read before, without hashing them. Throws ProofRefusal. */
export function readPublishedNodes(content: Uint8Array): BookEntry[] {
  return readMessage(content).list(3).map(readEntry);
}

function readMessage(content: Uint8Array) {
  const shape = { 1: 'bytes', 2: 'bytes', 3: 'list' } as const;
  return readCanonicalMessage(content, 'ledger id publication', shape, maxBookEntries + 2);
}

function readEntry(content: Uint8Array): BookEntry {
  const message = readCanonicalMessage(content, 'node of the publication', { 1: 'varint', 2: 'varint', 3: 'bytes' }, 3);
  return { nodeId: message.varint(1) ?? 0n, weight: message.varint(2) ?? 0n, key: message.bytes(3) ?? noKey };
}

const noKey = new Uint8Array();
