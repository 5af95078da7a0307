// The address book of a publication: who has which weight and history key. Its hash is the ledger id, which makes the
// book as trustworthy as the id.
import { bn254_Fr } from '@noble/curves/bn254.js';
import { bytesToNumberLE, concatBytes, hexToBytes } from '@noble/curves/utils.js';
import {
  compressEdwards,
  type EdwardsPoint,
  edwardsGenerator,
  edwardsLength,
  edwardsOrder,
  edwardsZero,
  readEdwards,
} from './edwards-points.ts';
import { createPartReader, isSameBytes, writeScalar } from './field-bytes.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { poseidonHash } from './poseidon.ts';
import { refuse } from './proof-refusal.ts';

/** As published: 192 bytes of key, its proof of knowledge among them. */
export type BookEntry = { nodeId: bigint; weight: bigint; key: Uint8Array };

export type AddressBook = {
  entries: readonly { nodeId: bigint; weight: bigint; key: EdwardsPoint }[];
  totalWeight: bigint;
  /** 32 bytes. */
  hash: Uint8Array;
};

export const maxBookEntries = 128;
const keyLength = 192;

/** Throws ProofRefusal, also for a key without proof that its secret is known. */
export function readAddressBook(entries: readonly BookEntry[]): AddressBook {
  if (entries.length === 0 || entries.length > maxBookEntries) {
    refuse('publication', `1 to ${maxBookEntries} nodes in the address book`, `${entries.length}`);
  }
  const read = entries.map(({ nodeId, weight, key }) => ({ nodeId, weight, key: readKey(key, nodeId) }));
  return {
    entries: read,
    totalWeight: read.reduce((sum, { weight }) => sum + weight, 0n),
    hash: writeScalar(hashBook(read)),
  };
}

function readKey(bytes: Uint8Array, nodeId: bigint): EdwardsPoint {
  const name = `history key of node ${nodeId}`;
  const reader = createPartReader(bytes, keyLength, name);
  const key = readEdwards(reader.next(edwardsLength), name);
  const commitment = readEdwards(reader.next(edwardsLength), `commitment of the ${name}`);
  const challenge = reader.scalar(edwardsOrder, 'challenge');
  const response = reader.scalar(edwardsOrder, 'response');
  if (isPlaceholder(bytes)) return key;
  const said = concatBytes(...[edwardsGenerator, key, commitment].map(compressEdwards));
  const isKnown =
    hashToScalar(said, noDomain, edwardsOrder) === challenge &&
    multiply(edwardsGenerator, response).equals(commitment.add(multiply(key, challenge)));
  if (!isKnown) refuse('publication', `proof that node ${nodeId} knows the secret of its key`, 'an invalid one');
  return key;
}

const noDomain = new Uint8Array();

/** Of a node that sent no key in time: a point whose secret is unknown, with zeros for the proof. */
const placeholder = hexToBytes(
  [
    '15a85e32489c8e652e8979efd746286b8b938565fe6654074748eceef0fb4c0f',
    '2f049db576ba0cd0595a4f54e4a982b46648987500342050ac77ae29ac301323',
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    '00'.repeat(64),
  ].join(''),
);

const isPlaceholder = (key: Uint8Array) => isSameBytes(key, placeholder);

/** What stands for nodes that the book has not. */
const padding = {
  x: bytesToNumberLE(hexToBytes('8b3288d58331049d2703cf9e1fba5de9565d26eeb97233452d286000d6ce101b')),
  y: bytesToNumberLE(hexToBytes('bdeeb9632479bd393126759069765e655f2c4bbde7fe7cb98fe9e7a3deaa3129')),
  weight: 0n,
  nodeId: bn254_Fr.ORDER - 1n,
};

/** Elements of a list are all x, then all y, weights and node ids, each as long as the largest book. */
function hashBook(entries: AddressBook['entries']): bigint {
  const rows = entries.map(({ nodeId, weight, key }) => ({ ...key.toAffine(), weight, nodeId }));
  while (rows.length < maxBookEntries) rows.push(padding);
  return poseidonHash([
    ...rows.map(({ x }) => x),
    ...rows.map(({ y }) => y),
    ...rows.map(({ weight }) => weight),
    ...rows.map(({ nodeId }) => nodeId),
  ]);
}

/** Also by 0. */
export function multiply(point: EdwardsPoint, scalar: bigint): EdwardsPoint {
  return scalar === 0n ? edwardsZero : point.multiplyUnsafe(scalar);
}
