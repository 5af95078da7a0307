// Checks a proof document (docs/reference/proof-documents.md): that an item is in the ledger of a ledger id, or in a record file that
// the nodes of an address book have signed.
import { bytesToHex } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytes, check, fields, hash, list, members, number, ProofRefused, same } from './bytes.js';
import { verifyRecord } from './records.js';
import { verifyThreshold } from './threshold.js';

export { ProofRefused };

/** SHA-256 of the key that the public ceremony made for WRAPS proofs. Who chooses this key could forge every proof. */
export const ceremonyKeyHash = '5a6d78fb8d0d1ef989db3ca9c6aff7e2bd336665af8f5ec904892522ec8f2b3d';

const leaf = (content) => hash(Uint8Array.of(0), content);
const node = (left, right) => hash(Uint8Array.of(2), left, right);
const single = (child) => hash(Uint8Array.of(1), child);
const empty = leaf(new Uint8Array());
const subtrees = { headers: 3, inputs: 4, outputs: 5, stateChanges: 6, traces: 7 };

/**
 * `document`: parsed JSON. `ledgerId`: hex; for record files `addressBookHash`: hex of SHA-384. `knownRoots`: hex of roots that were
 * proved before. Throws ProofRefused.
 */
export function verifyProof(document, options) {
  const { ledgerId, addressBookHash, knownRoots = [], wrapsKeyHash = ceremonyKeyHash, onStep = () => {} } = options;
  check(typeof document === 'object' && document?.version === 1, 'the document is not of version 1');
  if (document.kind === 'record') {
    return verifyRecord(document, bytes(addressBookHash, 'the trusted address book hash', 48), onStep);
  }
  check(document.kind === 'block', 'the document is of no known kind');
  const trusted = bytes(ledgerId, 'the trusted ledger id', 32);
  const parts = ['version', 'kind', 'timestamp', 'form', 'hashes', 'items', 'path', 'proof'];
  members(document, 'the document', parts);
  const { root, items } = foldBlock(document);
  const pairs = pairItems(items);
  onStep(`${items.length} items are in the block of root ${bytesToHex(root)}`);
  const signedRoot = list(document.path, 'the path').reduce(foldStep, root);
  if (document.path.length > 0) onStep(`a later block of root ${bytesToHex(signedRoot)} names that root`);
  const proven = { kind: 'block', root: bytesToHex(root), signedRoot: bytesToHex(signedRoot), items, pairs };
  const result = { ...proven, block: findNumber(items), ledgerId };
  if (Object.hasOwn(document.proof ?? {}, 'known')) {
    const { known } = members(document.proof, 'the proof', ['known']);
    check(known === proven.signedRoot && knownRoots.includes(known), 'the root was not proved before');
    onStep('that root was proved before');
    return result;
  }
  const signature = verifySignature(signedRoot, document.proof, trusted, wrapsKeyHash);
  onStep(`signed by ${signature.weight} of ${signature.totalWeight} of the weight of ledger ${ledgerId}`);
  return { ...result, ...signature };
}

function verifySignature(root, proof, ledgerId, wrapsKeyHash) {
  const { signature, book, wrapsKey } = members(proof, 'the proof', ['signature'], ['book', 'wrapsKey']);
  check((book === undefined) !== (wrapsKey === undefined), 'the proof has not one of an address book and a WRAPS key');
  const given = bytes(signature, 'the block signature');
  check((given.length === 3432) === (wrapsKey !== undefined), 'the proof has not what its kind needs');
  if (wrapsKey !== undefined) {
    const key = bytes(wrapsKey, 'the WRAPS key', 1768);
    check(bytesToHex(sha256(key)) === wrapsKeyHash, 'the WRAPS key is not the trusted one');
    return verifyThreshold(root, given, ledgerId, { wrapsKey: key });
  }
  const nodes = list(book, 'the address book').map((one) => {
    const { nodeId, weight, key } = members(one, 'a node', ['nodeId', 'weight', 'key']);
    return { nodeId: number(nodeId, 'a node id'), weight: number(weight, 'a weight'), key: bytes(key, 'a key', 64) };
  });
  return verifyThreshold(root, given, ledgerId, { book: nodes });
}

/** The root of the block, and the items that are proved to be in it. */
function foldBlock({ timestamp, form, hashes: given, items: parts }) {
  const hashes = list(given, 'the hashes').map((one) => bytes(one, 'a hash of the block', 48));
  check(hashes.length === 8 || (hashes.length === 16 && form === 'sixteen'), 'the block has not 8 or 16 hashes');
  const items = list(parts, 'the items').flatMap((part) => foldItems(part, hashes));
  check(['sixteen', 'eight'].includes(form), 'the form of the root is unknown');
  if (form === 'sixteen') while (hashes.length < 16) hashes.push(empty);
  let level = hashes;
  while (level.length > 1) level = level.flatMap((one, at) => (at % 2 ? [] : [node(one, level[at + 1])]));
  const top = form === 'sixteen' ? level[0] : single(level[0]);
  return { root: node(leaf(bytes(timestamp, 'the timestamp')), top), items };
}

/** One item with its siblings, or all items of a subtree in their order. */
function foldItems(part, hashes) {
  const isWhole = Object.hasOwn(part ?? {}, 'all');
  const { subtree, item, siblings, all } = members(part, 'an item', [
    'subtree',
    ...(isWhole ? ['all'] : ['item', 'siblings']),
  ]);
  check(Object.hasOwn(subtrees, subtree), 'an item is in an unknown subtree');
  const found = (isWhole ? list(all, 'all items') : [item]).map((one) => bytes(one, 'an item'));
  const leaves = found.map(leaf);
  check(found.length > 0 && found.every(({ length }) => length > 0), 'an item is empty');
  const root = isWhole ? streamingRoot(leaves) : foldSides(leaves[0], siblings);
  check(same(root, hashes[subtrees[subtree]]), `an item is not in the ${subtree} of the block`);
  return found.map((content, at) => ({ subtree, isAll: isWhole, index: isWhole ? at : null, bytes: content }));
}

/** Divided at the largest power of two below the number of leaves. */
function streamingRoot(leaves) {
  if (leaves.length === 1) return leaves[0];
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return node(streamingRoot(leaves.slice(0, half)), streamingRoot(leaves.slice(half)));
}

function foldSides(start, siblings) {
  return list(siblings, 'the siblings').reduce((value, sibling) => {
    const isLeft = Object.hasOwn(sibling ?? {}, 'left');
    const other = bytes(
      members(sibling, 'a sibling', [isLeft ? 'left' : 'right'])[isLeft ? 'left' : 'right'],
      'a sibling',
      48,
    );
    return isLeft ? node(other, value) : node(value, other);
  }, start);
}

/** From the root of a block to that of a later one, which names it as the one before, or in the history of all before. */
function foldStep(root, step) {
  const { from, history, siblings, timeLeaf } = members(step, 'a step', ['from', 'siblings', 'timeLeaf'], ['history']);
  check(['previous', 'history'].includes(from), 'a step is of no known kind');
  check((from === 'history') === (history !== undefined), 'a step has a history that it should not have, or none');
  const given = list(siblings, 'the siblings of a step').map((one) => bytes(one, 'a sibling', 48));
  check(given.length === 4 || given.length === 3, 'a step has not four siblings, or three');
  const begin = from === 'history' ? foldSides(root, history) : root;
  const top = given.reduce(
    (value, one, at) => (at === 0 && from === 'history' ? node(one, value) : node(value, one)),
    begin,
  );
  return node(bytes(timeLeaf, 'the time of a step', 48), given.length === 4 ? top : single(top));
}

const contentOf = (item) => fields(item, 'an item')[0] ?? [0, new Uint8Array()];

/** Of the block header, where it is among the items. */
function findNumber(items) {
  const outputs = items.filter(({ subtree }) => subtree === 'outputs');
  const header = outputs.map((item) => contentOf(item.bytes)).find(([kind]) => kind === 1);
  return header ? (new Map(fields(header[1], 'the header')).get(3) ?? 0n) : null;
}

/**
 * Which result (place in the outputs) is of which transaction (place in the inputs), where all items of both are there: the order
 * between subtrees is not proved, but each transaction except state signatures (65) has one result, in this order. null: not shown,
 * also where a batch (74) makes results without transactions.
 */
function pairItems(items) {
  const [inputs, outputs] = ['inputs', 'outputs'].map((name) =>
    items.filter((item) => item.isAll && item.subtree === name),
  );
  if (inputs.length === 0 || outputs.length === 0) return null;
  const bodies = inputs.map((item) => {
    const signed = new Map(fields(contentOf(item.bytes)[1], 'a transaction'));
    return new Map(fields(signed.get(1) ?? new Uint8Array(), 'a transaction body'));
  });
  if (bodies.some((body) => body.has(74))) return null;
  const withResult = bodies.flatMap((body, at) => (body.has(65) ? [] : [at]));
  const results = outputs.flatMap((item, at) => (contentOf(item.bytes)[0] === 5 ? [at] : []));
  check(withResult.length === results.length, 'the block has not one result for each transaction');
  return withResult.map((input, at) => ({ input, output: results[at] }));
}
