// Checks a proof document (docs/reference/proof-documents.md): that an item is in the ledger of a ledger id, or in a record file that
// the nodes of an address book have signed.
import { bytesToHex, equalBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { check, either, fields, hash, hex, ledgerIdHex, number, oneOf, ProofRefused, read } from './bytes.js';
import { trustKeys, verifyByKeys } from './keys.js';
import { verifyRecord } from './records.js';
import { verifyThreshold } from './threshold.js';

export { ProofRefused };

/** SHA-256 of the key that the public ceremony made for WRAPS proofs. Who chooses this key could forge every proof. */
export const ceremonyKeyHash = '5a6d78fb8d0d1ef989db3ca9c6aff7e2bd336665af8f5ec904892522ec8f2b3d';

const subtrees = ['headers', 'inputs', 'outputs', 'stateChanges', 'traces'];
const [subtree, firstSubtree] = [oneOf(subtrees), 3];
const sides = [either({ left: { left: hex(48) }, right: { right: hex(48) } })];
const step = { siblings: [hex(48)], timeLeaf: hex(48) };
const provedItems = {
  timestamp: hex(),
  form: oneOf(['sixteen', 'eight']),
  hashes: [hex(48)],
  items: [either({ all: { subtree, all: [hex()] }, item: { subtree, item: hex(), siblings: sides } })],
  path: [
    either({
      history: { from: oneOf(['history']), history: sides, ...step },
      from: { from: oneOf(['previous']), ...step },
    }),
  ],
};
/** hinTS key and signature. */
const signature = hex(2344);
const blockDocument = {
  version: oneOf([1]),
  kind: oneOf(['block']),
  ...provedItems,
  proof: either({
    known: { known: hex(48) },
    book: { signature: hex(2920), book: [{ nodeId: number, weight: number, key: hex(64) }] },
    wrapsKey: { signature: hex(3432), wrapsKey: hex(1768) },
    namings: { signature, namings: [{ ...provedItems, signature }] },
  }),
};

/** `document`: parsed JSON. Options: verify-proof.d.ts. Throws ProofRefused. */
export function verifyProof(document, options) {
  const { ledgerId, addressBookHash, knownRoots = [], wrapsKeyHash = ceremonyKeyHash, onStep = () => {} } = options;
  const { knownKeys = [], allowUnprovedKey = false } = options;
  if (document?.kind === 'record') {
    return verifyRecord(document, hex(48)(addressBookHash, 'the trusted address book hash'), onStep);
  }
  const trusted = ledgerIdHex(ledgerId, 'the trusted ledger id');
  const block = read(blockDocument, document, 'the document');
  const { root, items, top } = foldToSigned(block, onStep);
  const signedRoot = bytesToHex(top);
  const number = findNumber(items);
  const pairs = pairItems(items);
  const proven = { kind: 'block', root: bytesToHex(root), signedRoot, items, block: number, ledgerId, pairs };
  const { known, signature, wrapsKey, namings } = block.proof;
  if (known) {
    check(equalBytes(known, top) && knownRoots.includes(signedRoot), 'the root was not proved before');
    onStep('that root was proved before');
    return proven;
  }
  if (namings) {
    const keys = trustKeys(trusted, read([hex(32)], knownKeys, 'the known keys').map(bytesToHex));
    const naming = namings.map((one) => ({ ...one, ...rootOfNaming(one, onStep) }));
    return { ...proven, ...verifyByKeys(top, signature, keys, naming, allowUnprovedKey, onStep) };
  }
  check(!wrapsKey || bytesToHex(sha256(wrapsKey)) === wrapsKeyHash, 'the WRAPS key is not the trusted one');
  return { ...proven, ...verifyThreshold(top, signature, trusted, block.proof, onStep) };
}

/** Of the block with the items, and of the one that its path leads to. */
function foldToSigned(block, say) {
  const { root, items } = foldBlock(block, say);
  return { root, items, top: block.path.reduce((value, one) => foldStep(value, one, say), root) };
}

function rootOfNaming(naming, say) {
  const { items, top } = foldToSigned(naming, say);
  return { items, root: top };
}

const leaf = (content) => hash(Uint8Array.of(0), content);
const single = (child) => hash(Uint8Array.of(1), child);
const join = (left, right) => hash(Uint8Array.of(2), left, right);
const empty = leaf(new Uint8Array());

/** The root of the block, and the items that are proved to be in it. */
function foldBlock({ timestamp, form, hashes, items }, say) {
  check(hashes.length === 8 || (hashes.length === 16 && form === 'sixteen'), 'the block has not 8 or 16 hashes');
  const whole = items.flatMap(({ subtree, all }) => (all ? [subtree] : []));
  check(new Set(whole).size === whole.length, 'all items of a subtree are there twice');
  const proven = items.flatMap((part) => foldItems(part, hashes, say));
  let level = form === 'sixteen' ? [...hashes, ...Array(16 - hashes.length).fill(empty)] : hashes;
  while (level.length > 1) level = level.flatMap((one, at) => (at % 2 ? [] : [join(one, level[at + 1])]));
  const root = join(leaf(timestamp), form === 'sixteen' ? level[0] : single(level[0]));
  say(`the subtrees and the time of the block have the root ${bytesToHex(root)}`);
  return { root, items: proven };
}

/** One item with its siblings, or all items of a subtree in their order. */
function foldItems({ subtree, item, siblings, all }, hashes, say) {
  const found = all ?? [item];
  check(found.length > 0 && found.every(({ length }) => length > 0), 'an item is empty');
  const root = all ? streamingRoot(all.map(leaf)) : foldSides(leaf(item), siblings);
  check(
    equalBytes(root, hashes[firstSubtree + subtrees.indexOf(subtree)]),
    `an item is not in the ${subtree} of the block`,
  );
  const what = all ? `these ${all.length} items are all` : `the item of hash ${bytesToHex(leaf(item))} is one`;
  say(`${what} of the subtree ${subtree}, whose root is ${bytesToHex(root)}`);
  return found.map((bytes, at) => ({ subtree, bytes, isAll: Boolean(all), index: all ? at : null }));
}

/** Divided at the largest power of two below the number of leaves. */
function streamingRoot(leaves) {
  if (leaves.length === 1) return leaves[0];
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return join(streamingRoot(leaves.slice(0, half)), streamingRoot(leaves.slice(half)));
}

const foldSides = (start, siblings) =>
  siblings.reduce((value, { left, right }) => (left ? join(left, value) : join(value, right)), start);

/** From the root of a block to that of a later one, which names it as the one before, or in the history of all before. */
function foldStep(root, { history, siblings, timeLeaf }, say) {
  check(siblings.length === 4 || siblings.length === 3, 'a step has not four siblings, or three');
  const start = history ? join(siblings[0], foldSides(root, history)) : join(root, siblings[0]);
  const top = siblings.slice(1).reduce(join, start);
  const later = join(timeLeaf, siblings.length === 4 ? top : single(top));
  say(
    `a later block has that root ${history ? 'in its history' : 'as the one before'}; its own is ${bytesToHex(later)}`,
  );
  return later;
}

const contentOf = ({ bytes }) => fields(bytes, 'an item')[0];

/** Of the block header, where it is among the items. */
function findNumber(items) {
  const outputs = items.filter(({ subtree }) => subtree === 'outputs').map(contentOf);
  const header = outputs.find(([kind]) => kind === 1);
  return header ? (new Map(fields(header[1], 'the header')).get(3) ?? 0n) : null;
}

/**
 * Which result (place in the outputs) is of which transaction (place in the inputs), where all items of both are there: the order
 * between subtrees is not proved, but each transaction except state signatures (65) has one result, in this order. null: not shown,
 * also where a batch (74) makes results without transactions.
 */
function pairItems(items) {
  const [inputs, outputs] = ['inputs', 'outputs'].map((name) =>
    items.filter((one) => one.isAll && one.subtree === name),
  );
  const bodies = inputs.map((item) => {
    const signed = new Map(fields(contentOf(item)[1], 'a transaction'));
    return new Map(fields(signed.get(1) ?? new Uint8Array(), 'a transaction body'));
  });
  if (inputs.length === 0 || outputs.length === 0 || bodies.some((body) => body.has(74))) return null;
  const withResult = bodies.flatMap((body, at) => (body.has(65) ? [] : [at]));
  const results = outputs.flatMap((item, at) => (contentOf(item)[0] === 5 ? [at] : []));
  check(withResult.length === results.length, 'the block has not one result for each transaction');
  return withResult.map((input, at) => ({ input, output: results[at] }));
}
