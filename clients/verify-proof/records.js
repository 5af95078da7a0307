// Items of record files, and of record files inside blocks: what the nodes of an address book have signed with their RSA keys.
import { bytesToNumberBE, concatBytes, hexToBytes } from '@noble/curves/utils.js';
import { check, either, fields, hash, hex, int, list, number, object, oneOf, reader, same } from './bytes.js';

const objectHash = (value) => concatBytes(hexToBytes('f422da83a251741e0000000158ff811b00000030'), value);
const runningHash = hexToBytes('1e7451a283da22f401000000');
const itemClass = hexToBytes('e370929ba5429d8b00000001');
const digestInfo = hexToBytes('3041300d060960864801650304020205000430');
const text = (data) => new TextDecoder().decode(data);
const none = new Uint8Array();

const place = (value, name) => {
  check(Number.isInteger(value), `${name} is not a place`);
  return value;
};
const ends = { start: hex(48), end: hex(48), before: list(hex(48)), after: list(hex(48)), hapiVersion: list(number) };
const common = {
  recordVersion: oneOf([2, 5, 6]),
  item: object({ transaction: hex(), record: hex() }),
  signatures: list(object({ node: place, signature: hex() })),
};
const chain = either({ block: object({ ...ends, block: number }), end: object(ends) });
const file = object({ before: hex(), after: hex() });
const signedItem = either({ chain: object({ ...common, chain }), file: object({ ...common, file }) });

/**
 * Checks a document of kind `record`. `bookHash`: SHA-384 of the address book that is trusted; updates lead from it to the one
 * whose nodes have signed.
 */
export function verifyRecord({ version, kind, addressBook, updates = [], ...own }, bookHash, say) {
  oneOf([1])(version, 'version');
  let book = hex()(addressBook, 'the address book');
  check(same(hash(book), bookHash), 'the address book is not the trusted one');
  let time = -1n;
  for (const update of list(list(signedItem))(updates, 'the updates')) {
    const pieces = update.map((piece, at) => {
      const { item } = verifySigned(piece, keysOf(book));
      const after = timeOf(item.record);
      check(after > time, 'an update is not later than the one before');
      time = after;
      return readPiece(item, at === 0 ? { field: 19, file: 1 } : { field: 16, file: 2 });
    });
    book = concatBytes(...pieces);
    say('the nodes of that address book have signed a newer one');
  }
  const proven = verifySigned(signedItem(own, 'the document'), keysOf(book));
  say(`the item is in a record file that ${proven.signers} of ${proven.nodes} nodes of the address book have signed`);
  return { kind, ...proven };
}

/** An item, what leads from it to what is signed, and the signatures. */
function verifySigned({ recordVersion, item, chain, file, signatures }, keys) {
  const signed = chain ? foldChain(chain, recordVersion, item) : foldFile(file, recordVersion, item);
  const signers = new Set();
  for (const { node, signature } of signatures) {
    const key = keys[node];
    check(key && !signers.has(key), 'a signature is of no node of the address book, or there twice');
    check(isSignedBy(key, signed.hash, signature), 'a signature is not of this record file');
    signers.add(key);
  }
  check(3 * signers.size >= keys.length, `signed by ${signers.size} of ${keys.length} nodes: less than a third`);
  return { item, block: signed.block, signers: signers.size, nodes: keys.length };
}

/** Each key once, in the order of the book. */
function keysOf(book) {
  const nodes = fields(book, 'the address book').map(([, node]) => new Map(fields(node, 'a node')).get(4));
  const keys = [...new Set(nodes.map((key) => text(key ?? none)))].filter((key) => /^([0-9a-fA-F]{2})+$/.test(key));
  check(keys.length > 0, 'the address book has no keys');
  return keys;
}

/** A field of a message in a message; no bytes where there is none. */
const within = (message, ...path) =>
  path.reduce((value, place) => new Map(fields(value, 'an item')).get(place) ?? none, message);

/** What a file update, or an append after it, that succeeded wrote to the file of the address book. */
function readPiece({ transaction, record }, { field, file }) {
  const signed = within(transaction, 5);
  const body = within(signed.length > 0 ? within(signed, 1) : within(transaction, 4), field);
  const isBook = body.length > 0 && [101n, 102n].includes(within(body, file, 3));
  check(isBook && within(record, 1, 1) === 22n, 'an update has not changed the address book');
  return within(body, 4);
}

function timeOf(record) {
  const [seconds, nanos] = [within(record, 3, 1), within(record, 3, 2)];
  return (seconds === none ? 0n : seconds) * 1_000_000_000n + (nanos === none ? 0n : nanos);
}

/** Hashes of all items lead from the running hash before the file to the one at its end; the metadata hash covers both. */
function foldChain({ hapiVersion, start, before, after, end, block = null }, version, { transaction, record }) {
  check(version === 6 ? block !== null : version === 5 && block === null, 'the chain is of another record version');
  const own = hash(itemClass, int(record.length, 4), record, int(transaction.length, 4), transaction);
  const last = [...before, own, ...after].reduce((value, one) => hash(runningHash, value, runningHash, one), start);
  check(same(last, end), 'the items do not lead to the end running hash');
  const isVersion = hapiVersion.length === 3 && hapiVersion.every((part) => part < 1n << 31n);
  check(isVersion, 'the HAPI version has not three parts');
  const hapi = hapiVersion.map((part) => int(part, 4));
  if (version === 5) return { hash: hash(int(5, 4), ...hapi, int(1, 4), objectHash(start), objectHash(end)), block };
  return { hash: hash(int(6, 4), ...hapi, start, end, int(block, 8)), block };
}

/** The item is a whole one between the bytes before and after it; the file hash covers all of them. */
function foldFile({ before, after }, version, { transaction, record }) {
  const from = reader(before, 'the bytes before the item');
  check(from.int32() === version, 'the record file is of another version');
  const sized = (one) => [int(one.length, 4), one];
  const two = Uint8Array.of(2);
  if (version === 6) {
    fields(before.subarray(4), 'the record file');
    const item = concatBytes(...field(1, transaction), ...field(2, record));
    return { hash: hash(before, ...field(3, item), after), block: null };
  }
  from.take(version === 5 ? 84 : 53);
  while (!from.isAtEnd()) {
    check(same(from.take(version === 5 ? 12 : 1), version === 5 ? itemClass : two), 'the bytes before are no items');
    from.take(from.int32());
    from.take(from.int32());
  }
  if (version === 5)
    return { hash: hash(before, itemClass, ...sized(record), ...sized(transaction), after), block: null };
  const rest = [before.subarray(57), two, ...sized(transaction), ...sized(record), after];
  return { hash: hash(before.subarray(0, 57), hash(...rest)), block: null };
}

/** A protobuf field of bytes. */
function field(place, value) {
  const size = [];
  for (let rest = value.length; ; rest >>>= 7) {
    if (rest < 128) return [Uint8Array.of(place * 8 + 2, ...size, rest), value];
    size.push((rest & 127) | 128);
  }
}

/** SHA384withRSA, PKCS #1 v1.5. `key`: SubjectPublicKeyInfo in hex, as address books have it. */
function isSignedBy(key, message, signature) {
  const der = (from, tag) => {
    check(from.take(1)[0] === tag, 'a key of the address book is not RSA');
    const [size] = from.take(1);
    return from.take(size < 128 ? size : Number(bytesToNumberBE(from.take(size - 128))));
  };
  const outer = reader(der(reader(hexToBytes(key), 'a key'), 0x30), 'a key');
  der(outer, 0x30);
  const pair = reader(der(reader(der(outer, 3).subarray(1), 'a key'), 0x30), 'a key');
  const [modulus, exponent] = [bytesToNumberBE(der(pair, 2)), bytesToNumberBE(der(pair, 2))];
  const length = Math.ceil(modulus.toString(16).length / 2);
  let [value, base] = [1n, bytesToNumberBE(signature)];
  check(signature.length === length && base < modulus, 'a signature has another length than its key');
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) value = (value * base) % modulus;
    base = (base * base) % modulus;
  }
  const digest = concatBytes(digestInfo, hash(message));
  const padding = new Uint8Array(length - digest.length - 3).fill(255);
  return value === bytesToNumberBE(concatBytes(Uint8Array.of(0, 1), padding, Uint8Array.of(0), digest));
}
