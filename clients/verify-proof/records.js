// Items of record files, and of record files inside blocks: what the nodes of an address book have signed with their RSA keys.
import { pow } from '@noble/curves/abstract/modular.js';
import {
  bytesToHex,
  bytesToNumberBE,
  concatBytes,
  equalBytes,
  hexToBytes,
  numberToBytesBE,
} from '@noble/curves/utils.js';
import { check, either, fields, hash, hex, number, oneOf, read, reader } from './bytes.js';

const objectHash = (value) => concatBytes(hexToBytes('f422da83a251741e0000000158ff811b00000030'), value);
const runningHash = hexToBytes('1e7451a283da22f401000000');
const itemClass = hexToBytes('e370929ba5429d8b00000001');
const [none, two] = [new Uint8Array(), Uint8Array.of(2)];
const int = (value) => numberToBytesBE(value, 4);

const place = (value, name) => {
  check(Number.isInteger(value), `${name} is not a place`);
  return value;
};
const ends = { start: hex(48), end: hex(48), before: [hex(48)], after: [hex(48)], hapiVersion: [number] };
const common = {
  recordVersion: oneOf([2, 5, 6]),
  item: { transaction: hex(), record: hex() },
  signatures: [{ node: place, signature: hex() }],
};
const chain = either({ block: { ...ends, block: number }, end: ends });
const signedItem = either({ chain: { ...common, chain }, file: { ...common, file: { before: hex(), after: hex() } } });

/**
 * Checks a document of kind `record`. `bookHash`: SHA-384 of the address book that is trusted; updates lead from it to the one
 * whose nodes have signed.
 */
export function verifyRecord({ version, kind, addressBook, updates = [], ...own }, bookHash, say) {
  oneOf([1])(version, 'version');
  let book = hex()(addressBook, 'the address book');
  check(equalBytes(hash(book), bookHash), 'the address book is not the trusted one');
  say(`the address book of ${book.length} bytes has the trusted hash ${bytesToHex(bookHash)}`);
  let time = -1n;
  for (const update of read([[signedItem]], updates, 'the updates')) {
    const pieces = update.map((piece, at) => {
      const { item } = verifySigned(piece, keysOf(book));
      const [seconds, nanos] = [1, 2].map((part) => within(item.record, 3, part));
      const after = (seconds === none ? 0n : seconds) * 1_000_000_000n + (nanos === none ? 0n : nanos);
      check(after > time, 'an update is not later than the one before');
      time = after;
      return readPiece(item, ...(at === 0 ? [19, 1] : [16, 2]));
    });
    book = concatBytes(...pieces);
    say(`the nodes of that address book have signed a newer one, of hash ${bytesToHex(hash(book))}`);
  }
  const proven = verifySigned(read(signedItem, own, 'the document'), keysOf(book), say);
  say(`that is signed by ${proven.signers} of ${proven.nodes} nodes of the address book`);
  return { kind, ...proven };
}

/** An item, what leads from it to what is signed, and the signatures. */
function verifySigned({ recordVersion, item, chain, file, signatures }, keys, say = () => {}) {
  const signed = chain ? foldChain(chain, recordVersion, item) : foldFile(file, recordVersion, item);
  say(
    `transaction and record are in a record file of version ${recordVersion}, whose signed hash is ${bytesToHex(signed)}`,
  );
  const signers = new Set();
  for (const { node, signature } of signatures) {
    const key = keys[node];
    check(key && !signers.has(key), 'a signature is of no node of the address book, or there twice');
    check(isSignedBy(key, signed, signature), 'a signature is not of this record file');
    signers.add(key);
  }
  check(3 * signers.size >= keys.length, `signed by ${signers.size} of ${keys.length} nodes: less than a third`);
  return { item, block: chain?.block ?? null, signers: signers.size, nodes: keys.length };
}

/** Each key once, in the order of the book. */
function keysOf(book) {
  const nodes = fields(book, 'the address book').map(([, node]) => within(node, 4));
  const keys = [...new Set(nodes.map((key) => new TextDecoder().decode(key)))].filter((key) =>
    /^([0-9a-fA-F]{2})+$/.test(key),
  );
  check(keys.length > 0, 'the address book has no keys');
  return keys;
}

/** A field of a message in a message; no bytes where there is none. */
const within = (message, ...path) =>
  path.reduce((value, place) => new Map(fields(value, 'an item')).get(place) ?? none, message);

/** What a file update, or an append after it, that succeeded wrote to the file of the address book. */
function readPiece({ transaction, record }, field, file) {
  const signed = within(transaction, 5);
  const body = within(signed.length > 0 ? within(signed, 1) : within(transaction, 4), field);
  const isBook = body.length > 0 && [101n, 102n].includes(within(body, file, 3));
  check(isBook && within(record, 1, 1) === 22n, 'an update has not changed the address book');
  return within(body, 4);
}

const sized = (...parts) => concatBytes(...parts.flatMap((part) => [int(part.length), part]));

/** Hashes of all items lead from the running hash before the file to the one at its end; the metadata hash covers both. */
function foldChain({ hapiVersion, start, before, after, end, block }, version, { transaction, record }) {
  check(version === (block === undefined ? 5 : 6), 'the chain is of another record version');
  const own = hash(itemClass, sized(record, transaction));
  const last = [...before, own, ...after].reduce((value, one) => hash(runningHash, value, runningHash, one), start);
  check(equalBytes(last, end), 'the items do not lead to the end running hash');
  const isVersion = hapiVersion.length === 3 && hapiVersion.every((part) => part < 1n << 31n);
  check(isVersion, 'the HAPI version has not three parts');
  const hapi = concatBytes(int(version), ...hapiVersion.map(int));
  if (version === 5) return hash(hapi, int(1), objectHash(start), objectHash(end));
  return hash(hapi, start, end, numberToBytesBE(block, 8));
}

/** The item is a whole one between the bytes before and after it; the file hash covers all of them. */
function foldFile({ before, after }, version, { transaction, record }) {
  const { take, int32, isAtEnd } = reader(before, 'the bytes before the item');
  check(int32() === version, 'the record file is of another version');
  if (version === 6) {
    fields(before.subarray(4), 'the record file');
    return hash(before, field(3, concatBytes(field(1, transaction), field(2, record))), after);
  }
  const [head, mark] = version === 5 ? [88, itemClass] : [57, two];
  take(head - 4);
  while (!isAtEnd()) {
    check(equalBytes(take(mark.length), mark), 'the bytes before are no items');
    take(int32());
    take(int32());
  }
  if (version === 5) return hash(before, mark, sized(record, transaction), after);
  return hash(before.subarray(0, head), hash(before.subarray(head), mark, sized(transaction, record), after));
}

/** A protobuf field of bytes. */
const field = (place, value) => concatBytes(Uint8Array.of(place * 8 + 2, ...varint(value.length)), value);
const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);

/** SubjectPublicKeyInfo of RSA with exponent 65537, which all keys of address books are. */
const rsaKey = /^3082.{4}300d06092a864886f70d01010105000382.{4}003082.{4}0282.{4}00([89a-f].*)0203010001$/i;
const sha384Info = '003041300d060960864801650304020205000430';

/** SHA384withRSA, PKCS #1 v1.5. `key` in hex. */
function isSignedBy(key, message, signature) {
  const [, digits] = rsaKey.exec(key) ?? [];
  check(digits, 'a key of the address book is not RSA');
  const [modulus, base] = [BigInt(`0x${digits}`), bytesToNumberBE(signature)];
  check(2 * signature.length === digits.length && base < modulus, 'a signature has another length than its key');
  const digest = sha384Info + bytesToHex(hash(message));
  return pow(base, 65537n, modulus) === BigInt(`0x${`01${digest.padStart(digits.length - 4, 'f')}`}`);
}
