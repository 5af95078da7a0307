// The history keys of a network and its first address book, whose hash is the ledger id; and what its nodes say of a
// hinTS key: Schnorr signatures added up (docs/reference/block-proofs.md).
import { edwards } from '@noble/curves/abstract/edwards.js';
import { grainGenConstants, poseidonSponge } from '@noble/curves/abstract/poseidon.js';
import { bn254_Fr as F } from '@noble/curves/bn254.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { blake2s } from '@noble/hashes/blake2.js';
import { hashToField } from './hash-to-field.ts';

export type HistorySigner = {
  ledgerId: Buffer;
  /** 192 bytes of each node, as they are published. */
  publishedKeys: Buffer[];
  /** 192 bytes: that these nodes, by their place in the book, vouch for the key. */
  attest(hintsKey: Uint8Array, signers: readonly number[]): Buffer;
};

/** A number below the order, always the same for a name. */
export type SecretOf = (name: string, order: bigint) => bigint;

/** Node ids are places in the book. `withoutKey`: nodes whose key came too late. */
export function createHistorySigner(options: {
  weights: readonly bigint[];
  secretOf: SecretOf;
  withoutKey?: readonly number[];
}): HistorySigner {
  const { weights, secretOf, withoutKey = [] } = options;
  const secrets = weights.map((_, node) => secretOf(`history ${node}`, order));
  const publishedKeys = secrets.map((secret, node) =>
    withoutKey.includes(node) ? lateKey : publishKey(secret, secretOf(`commitment ${node}`, order)),
  );
  const ledgerId = hashBook(publishedKeys, weights);
  const pointOf = (node: number) => readPoint(publishedKeys[node]!);

  return {
    ledgerId,
    publishedKeys,
    attest(hintsKey, signers) {
      const marks = Buffer.alloc(places);
      for (const node of signers) marks[node] = 1;
      const nonce = secretOf(`nonce ${Buffer.from(hintsKey).toString('hex')} ${signers}`, order);
      const aggregate = signers.reduce((total, node) => total.add(pointOf(node)), Point.ZERO);
      const message = [writePoint(aggregate), writePoint(Point.BASE.multiply(nonce)), ledgerId, hashKey(hintsKey)];
      const digest = blake2s(Buffer.concat(message)).subarray(0, usedDigestLength);
      const challenge = bytesToNumberLE(digest) % order;
      const secret = signers.reduce((total, node) => total + secrets[node]!, 0n);
      const response = (nonce + (order - challenge) * secret) % order;
      return Buffer.concat([marks, scalarBytes(response), scalarBytes(challenge)]);
    },
  };
}

/** Of the address book, also where there are fewer nodes. */
const places = 128;
const usedDigestLength = 31;
const order = 2736030358979909402780800718157159386076813972158567259200215660948447373041n;

const Point = edwards(
  {
    p: F.ORDER,
    n: order,
    h: 8n,
    a: 1n,
    d: F.div(168696n, 168700n),
    Gx: 19698561148652590122159747500897617769866003486955115824547446575314762165298n,
    Gy: 19298250018296453272277890825869354524455968081175474282777126169995084727839n,
  },
  { Fp: F },
);
type HistoryPoint = InstanceType<typeof Point>;

const scalarBytes = (value: bigint) => Buffer.from(numberToBytesLE(value, 32));

function writePoint(point: HistoryPoint): Buffer {
  const { x, y } = point.toAffine();
  return Buffer.concat([scalarBytes(x), scalarBytes(y)]);
}

function readPoint(bytes: Uint8Array): HistoryPoint {
  return Point.fromAffine({ x: bytesToNumberLE(bytes.subarray(0, 32)), y: bytesToNumberLE(bytes.subarray(32, 64)) });
}

/** y, and whether x is the larger one. */
function compressPoint(point: HistoryPoint): Buffer {
  const { x, y } = point.toAffine();
  const bytes = scalarBytes(y);
  if (2n * x > F.ORDER) bytes[31]! |= 0x80;
  return bytes;
}

/** The key with a proof that its maker knows the secret. */
function publishKey(secret: bigint, nonce: bigint): Buffer {
  const [key, commitment] = [Point.BASE.multiply(secret), Point.BASE.multiply(nonce)];
  const said = Buffer.concat([Point.BASE, key, commitment].map(compressPoint));
  const challenge = hashToField(said, Buffer.alloc(0), order);
  const response = (nonce + challenge * secret) % order;
  return Buffer.concat([writePoint(key), writePoint(commitment), scalarBytes(challenge), scalarBytes(response)]);
}

/** Stands for a key that came too late; its secret is unknown. */
const lateKey = Buffer.concat([
  Buffer.from('15a85e32489c8e652e8979efd746286b8b938565fe6654074748eceef0fb4c0f', 'hex'),
  Buffer.from('2f049db576ba0cd0595a4f54e4a982b46648987500342050ac77ae29ac301323', 'hex'),
  scalarBytes(0n),
  scalarBytes(1n),
  scalarBytes(0n),
  scalarBytes(0n),
]);

/** Stands in the hash of a book for nodes that it has not. */
const noNode = Buffer.from(
  '8b3288d58331049d2703cf9e1fba5de9565d26eeb97233452d286000d6ce101bbdeeb9632479bd393126759069765e655f2c4bbde7fe7cb98fe9e7a3deaa3129',
  'hex',
);

function hashBook(keys: readonly Buffer[], weights: readonly bigint[]): Buffer {
  const everyPlace = [...Array(places).keys()];
  const coordinates = (at: number) =>
    everyPlace.map((place) => bytesToNumberLE((keys[place] ?? noNode).subarray(at, at + 32)));
  return poseidon([
    ...coordinates(0),
    ...coordinates(32),
    ...everyPlace.map((place) => weights[place] ?? 0n),
    ...everyPlace.map((place) => (place < keys.length ? BigInt(place) : F.ORDER - 1n)),
  ]);
}

function hashKey(key: Uint8Array): Buffer {
  const pieces = Math.ceil(key.length / 32);
  return poseidon(
    Array.from({ length: pieces }, (_, piece) => F.create(bytesToNumberLE(key.subarray(piece * 32, piece * 32 + 32)))),
  );
}

const shape = { Fp: F, t: 5, roundsFull: 8, roundsPartial: 60, sboxPower: 5 };
let newSponge: ReturnType<typeof poseidonSponge> | null = null;

function poseidon(elements: bigint[]): Buffer {
  // The constants take 20 ms.
  newSponge ??= poseidonSponge({ ...shape, ...grainGenConstants(shape), rate: 4, capacity: 1 });
  const sponge = newSponge();
  sponge.absorb(elements);
  return scalarBytes(sponge.squeeze(1)[0]!);
}
