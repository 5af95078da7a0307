// The address book of a ledger whose id has 64 bytes (docs/reference/block-proofs.md): history keys of 128 bytes on
// Grumpkin, and the hash of the book, by Nova's Poseidon. Computed in another way than where it is verified.
import { createHash } from 'node:crypto';
import { grainGenConstants, poseidon } from '@noble/curves/abstract/poseidon.js';
import { weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { bn254 } from '@noble/curves/bn254.js';
import { numberToBytesLE } from '@noble/curves/utils.js';

const { Fr: F, Fp } = bn254.fields;

/** y² = x³ − 17 over the scalar field of BN254, whose base field is its order. */
const Point = weierstrass(
  {
    p: F.ORDER,
    n: Fp.ORDER,
    h: 1n,
    a: 0n,
    b: F.ORDER - 17n,
    Gx: 1n,
    Gy: 17631683881184975370165255887551781615748388533673675138860n,
  },
  { Fp: F },
);
type GrumpkinPoint = InstanceType<typeof Point>;

const seats = 64;
const scalarBytes = (value: bigint): Buffer => Buffer.from(numberToBytesLE(value, 32));

/**
 * A key of the book as it is published, with a proof that its maker knows the secret. Both below the order, and not 0.
 */
export function publishGrumpkinKey(secret: bigint, nonce: bigint): Buffer {
  const [key, commitment] = [Point.BASE.multiply(secret), Point.BASE.multiply(nonce)];
  const said = createHash('sha256').update('WRAPS-schnorr-pok-sha256-mod-v4');
  for (const point of [Point.BASE, key, commitment])
    for (const value of toNumbers(point)) said.update(scalarBytes(value));
  const challenge = BigInt(`0x${said.digest('hex')}`) % Fp.ORDER;
  const response = (nonce + challenge * secret) % Fp.ORDER;
  return Buffer.concat([compress(key), compress(commitment), scalarBytes(challenge), scalarBytes(response)]);
}

export const grumpkinOrder: bigint = Fp.ORDER;

/** 32 bytes, of nodes 0, 1, …, with the secrets of their keys. */
export function hashGrumpkinBook(secrets: readonly bigint[], weights: readonly bigint[]): Buffer {
  const rows = Array.from({ length: seats }, (_, node) => {
    const secret = secrets[node];
    if (secret === undefined) return [F.ORDER - 1n, 0n, 0n, 1n, 0n];
    return [BigInt(node), ...toNumbers(Point.BASE.multiply(secret)), weights[node]!];
  });
  return scalarBytes(hashElements(rows.flat(), 1n));
}

function toNumbers(point: GrumpkinPoint): [bigint, bigint, bigint] {
  const { x, y } = point.toAffine();
  return [x, y, 0n];
}

function compress(point: GrumpkinPoint): Buffer {
  const { x, y } = point.toAffine();
  const bytes = scalarBytes(x);
  if (y % 2n === 1n) bytes[31]! |= 0x80;
  return bytes;
}

const width = 33;
const shape = { Fp: F, t: width, roundsFull: 8, roundsPartial: 60, sboxPower: 5 };
let permute: ((state: bigint[]) => bigint[]) | null = null;

function hashElements(elements: readonly bigint[], domain: bigint): bigint {
  permute ??= makePermutation();
  const base = 2n ** 128n - 159n;
  const tag = (base * (2n ** 31n + BigInt(elements.length)) + base ** 2n + base ** 3n * domain) % 2n ** 128n;
  let state = [tag, ...new Array<bigint>(width - 1).fill(0n)];
  for (let at = 0; at < elements.length; at += width - 1) {
    if (at > 0) state = permute(state);
    state = state.map((value, place) => (place === 0 ? value : F.add(value, elements[at + place - 1] ?? 0n)));
  }
  return permute(state)[1]!;
}

/** The constants of an S-box field of 1; the matrix is of 1 / (row + column + width). */
function makePermutation(): (state: bigint[]) => bigint[] {
  const { roundConstants } = grainGenConstants({ ...shape, isSboxInverse: true });
  const mds = Array.from({ length: width }, (_, row) =>
    Array.from({ length: width }, (_, column) => F.inv(BigInt(row + column + width))),
  );
  return poseidon({ ...shape, roundConstants, mds });
}
