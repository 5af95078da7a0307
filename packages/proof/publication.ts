// The publication of a ledger id: a system transaction, which says the network's first address book. The length of the
// id tells which form it has. 32 bytes: the id is the hash of the book, whose keys have 192 bytes, and the key of WRAPS
// proofs is there. 64 bytes: the first half is that hash, of keys of 128 bytes, and the second half that of the first
// hinTS key.
import { formatLedgerId } from '../kit/format-ledger-id.ts';
import { type AddressBook, type BookEntry, maxBookEntries, readAddressBook } from './address-book.ts';
import { readCanonicalMessage } from './canonical-message.ts';
import { isSameBytes, scalarLength, toHex } from './field-bytes.ts';
import { grumpkinKeyLength, hashGrumpkinBook } from './grumpkin-book.ts';
import { findFirstKeyHash, ledgerIdLengths } from './ledger-id.ts';
import { ProofRefusal, refuse } from './proof-refusal.ts';
import { wrapsKeyLength } from './wraps-key.ts';

export type Publication = {
  /** 32 or 64 bytes. */
  ledgerId: Uint8Array;
  /** null of an id of 64 bytes: its book is checked, but nothing that it signs can be verified. */
  book: AddressBook | null;
  /** 1768 bytes, not decoded; null of an id of 64 bytes, whose proofs are of another kind. */
  wrapsKey: Uint8Array | null;
  /** The message itself. */
  content: Uint8Array;
};

/**
 * The message in the transaction body. Hashing the book takes some 40 to 100 ms. Throws ProofRefusal: `unknownForm`
 * where it is not written as any publication that is known, `publication` where it contradicts itself.
 */
export function readPublication(content: Uint8Array): Publication {
  const { ledgerId, wrapsKey, entries } = readParts(content);
  const isOlder = findFirstKeyHash(ledgerId) === null;
  const book = isOlder ? readAddressBook(entries) : null;
  const bookHash = book ? book.hash : hashGrumpkinBook(entries);
  if (!isSameBytes(bookHash, ledgerId.subarray(0, scalarLength))) {
    refuse('publication', `an address book whose hash is in ledger id ${formatLedgerId(ledgerId)}`, toHex(bookHash));
  }
  return { ledgerId, book, wrapsKey: isOlder ? wrapsKey : null, content };
}

/** The nodes of one that was read before, without hashing them. Throws ProofRefusal. */
export function readPublishedNodes(content: Uint8Array): BookEntry[] {
  return readParts(content).entries;
}

type Form = { keyLength: number; wrapsKeyLengths: readonly number[] };

/** Behind ids of 64 bytes the key of proofs that only the network's library can check. */
const novaKeyLength = 778;
/** By the length of the ledger id; 0: the part is absent. */
const forms: ReadonlyMap<number, Form> = new Map([
  [scalarLength, { keyLength: 192, wrapsKeyLengths: [wrapsKeyLength] }],
  [2 * scalarLength, { keyLength: grumpkinKeyLength, wrapsKeyLengths: [0, novaKeyLength] }],
]);

function readParts(content: Uint8Array) {
  const message = readKnown(() => {
    const shape = { 1: 'bytes', 2: 'bytes', 3: 'list' } as const;
    return readCanonicalMessage(content, 'ledger id publication', shape, maxBookEntries + 2);
  });
  const [ledgerId, wrapsKey] = [message.bytes(1) ?? noBytes, message.bytes(2) ?? noBytes];
  const entries = message.list(3).map((entry) => readKnown(() => readEntry(entry)));
  const form = forms.get(ledgerId.length);
  if (!form) {
    return refuse('unknownForm', `a ledger id of ${ledgerIdLengths.join(' or ')} bytes`, countOf(ledgerId));
  }
  if (!form.wrapsKeyLengths.includes(wrapsKey.length)) {
    const expected = form.wrapsKeyLengths.map((length) => length || 'no').join(' or ');
    refuse(
      'unknownForm',
      `a WRAPS key of ${expected} bytes beside a ledger id of ${ledgerId.length}`,
      countOf(wrapsKey),
    );
  }
  const odd = entries.find(({ key }) => key.length !== form.keyLength);
  if (odd) {
    const expected = `history keys of ${form.keyLength} bytes beside a ledger id of ${ledgerId.length}`;
    refuse('unknownForm', expected, `one of ${countOf(odd.key)}`);
  }
  return { ledgerId, wrapsKey, entries };
}

const countOf = ({ length }: Uint8Array) => (length === 0 ? 'none' : `${length} bytes`);

function readEntry(content: Uint8Array): BookEntry {
  const message = readCanonicalMessage(content, 'node of the publication', { 1: 'varint', 2: 'varint', 3: 'bytes' }, 3);
  return { nodeId: message.varint(1) ?? 0n, weight: message.varint(2) ?? 0n, key: message.bytes(3) ?? noBytes };
}

/** A message that cannot be read, as one with fields that this version does not know, is of an unknown form. */
function readKnown<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProofRefusal) || error.refusal.check !== 'message') throw error;
    return refuse('unknownForm', error.refusal.expected, error.refusal.found);
  }
}

const noBytes = new Uint8Array();
