// Checks documents beside the page, so that the page stays responsive. It has no network: what it needs is in the
// message.
import { sha384 } from './@noble/hashes/sha2.js';
import { describeBlockItem, describeRecordItem, describeTime, toHex } from './describe-item.js';
import { ProofRefused, verifyProof } from './verify-proof/verify-proof.js';

/**
 * Roots that were proved since the page was opened, by ledger id: a document may name one of them in place of its
 * signature.
 */
const provedRoots = new Map();

addEventListener('message', ({ data }) => {
  const { id, text, ledgerId, addressBookHash, sought } = data;
  const say = (message) => postMessage({ id, ...message });
  try {
    const document = parse(text);
    const trust = { ledgerId, addressBookHash: addressBookHash || ownBookHash(document) };
    const knownRoots = provedRoots.get(ledgerId) ?? [];
    // A key that is not proved is no refusal: the page says apart what that shows.
    const how = { allowUnprovedKey: true, onStep: (step) => say({ step }) };
    const proven = verifyProof(document, { ...trust, knownRoots, ...how });
    const isProved = proven.kind === 'block' && proven.key?.from !== 'nothing';
    if (isProved) provedRoots.set(ledgerId, [...knownRoots, proven.signedRoot]);
    say({ proven: withSought(show(proven, document), sought), trust });
  } catch (error) {
    // Anything else than a refusal is a fault of this page: it is said, and nothing is proved.
    say({ refused: error instanceof ProofRefused ? error.message : `this page could not check it: ${error.message}` });
  }
});

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProofRefused('the document is not JSON');
  }
}

/** Where the visitor knows none: the document's own, and the page then says that it was not compared with anything. */
function ownBookHash({ kind, addressBook }) {
  if (kind !== 'record' || typeof addressBook !== 'string' || !/^([0-9a-f]{2})+$/.test(addressBook)) return undefined;
  return toHex(sha384(Uint8Array.from(addressBook.match(/../g), (byte) => Number.parseInt(byte, 16))));
}

function show(proven, document) {
  return proven.kind === 'record' ? showRecord(proven) : showBlock(proven, document);
}

/**
 * Marks what was asked for, since a server could hand over a good proof of something else. `isFound` is null where
 * nothing was asked.
 */
function withSought(shown, sought) {
  if (!sought) return { ...shown, isFound: null };
  const isNamed = ([name, value]) => sought.names.includes(name) && isSame(value.split(' ')[0], sought.value);
  const items = shown.items.map((item) => ({ ...item, mark: item.facts.some(isNamed) ? toMark(item, sought) : null }));
  const isFound = shown.facts.some(isNamed) || items.some(({ mark }) => mark !== null);
  return {
    ...shown,
    items: items.sort((one, other) => Number(other.mark !== null) - Number(one.mark !== null)),
    isFound,
  };
}

/** Of a message the record says the number in its topic; transactions and results of block streams do not. */
function toMark({ facts }, { messageNumber }) {
  const [, number] = facts.find(([name]) => name === 'Number in its topic') ?? [];
  if (messageNumber === undefined || number === messageNumber) return 'This is what you asked for.';
  return number === undefined ? 'A message of that topic; which number it has there is not shown.' : null;
}

/** Of a hash its first 32 bytes are enough. */
const isSame = (value, sought) => value === sought || (sought.startsWith('0x') && value.startsWith(sought));

function showRecord(proven) {
  const { item, block, signers, nodes } = proven;
  const parts = [
    ['transaction', toHex(item.transaction)],
    ['record', toHex(item.record)],
  ];
  return {
    kind: 'record',
    sentence: `In ${block === null ? 'a record file' : `block ${block}`} that ${signers} of ${nodes} nodes have signed.`,
    facts: block === null ? [] : [['Block', String(block)]],
    items: [{ ...describeRecordItem(item), parts }],
    notShown: [
      'The stake of the nodes that signed: nodes are counted, because the address book does not say what they hold.',
      'That the address book was still valid: nodes of an older one could sign as well.',
      ...(block === null ? ['The number of the block: these signatures do not cover it.'] : []),
    ],
  };
}

function showBlock({ items, pairs, block, root, weight, totalWeight, key }, document) {
  const described = items.map(({ subtree, bytes, index }) => ({
    ...describeBlockItem(bytes),
    place: index === null ? subtree : `${subtree}, place ${index}`,
    parts: [['', toHex(bytes)]],
  }));
  const of = (name) => described.filter((_, at) => items[at].subtree === name && items[at].isAll);
  for (const { input, output } of pairs ?? []) {
    const [transaction, result] = [of('inputs')[input], of('outputs')[output]];
    transaction.facts.push(['Its result', `outputs, place ${output}`], ...result.facts);
  }
  const [hasInputs, hasResults] = ['inputs', 'outputs'].map((name) =>
    items.some(
      ({ subtree }, at) => subtree === name && described[at].facts.some(([fact]) => /^(Type|Status)$/.test(fact)),
    ),
  );
  const signed = weight === undefined ? 'proved before' : `signed by ${percent(weight, totalWeight)} of the weight`;
  return {
    kind: 'block',
    isKeyProved: key?.from !== 'nothing',
    sentence: `In ${block === null ? 'a block' : `block ${block}`} of ${describeTime(bytesOf(document.timestamp))}, ${signed}.`,
    facts: [['Root', `0x${root}`], ...(block === null ? [] : [['Block', String(block)]])],
    items: described,
    notShown: [
      ...(key?.from === 'nothing'
        ? [
            `That key ${key.hash}, which has signed, is the ledger’s: neither the ledger id nor a proved block names it.`,
          ]
        : []),
      ...(pairs === null && hasInputs && hasResults
        ? ['Which result belongs to which transaction: only all transactions and results of the block show that.']
        : []),
      ...(described.some(({ facts }) => facts.some(([fact]) => fact === 'Topic'))
        ? ['Which number a message has in its topic: no transaction and no result says it.']
        : []),
      ...(hasInputs && !hasResults ? ['What came of it: no result is among these items.'] : []),
      ...(block === null ? ['The number of the block: its header is not among these items.'] : []),
    ],
  };
}

const percent = (part, whole) => `${Number((part * 1000n) / whole) / 10} %`;
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
