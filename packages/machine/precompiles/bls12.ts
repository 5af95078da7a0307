// 0x0b to 0x11: sums, sums of products, pairing and maps of BLS12-381 (EIP-2537).
import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { readWord, writeWord } from '../base/word.ts';
import { g1SumGas, g2SumGas } from './bls12-discounts.ts';
import { pairToOne } from './pairing.ts';
import type { PrecompileEntry } from './precompile.ts';
import { isInBlsG1, isInBlsG2 } from './prime-order.ts';

const { G1, G2, fields } = bls12_381;
const { Fp, Fp2, Fr } = fields;
type G1Point = InstanceType<typeof G1.Point>;
type G2Point = InstanceType<typeof G2.Point>;

const elementLength = 64;
const g1Length = 128;
const g2Length = 256;
const scalarLength = 32;
const g1B = 4n;
const g2B = Fp2.fromBigTuple([4n, 4n]);
const since = 'prague';

const times = (data: Uint8Array, length: number) => Math.floor(data.length / length);

export const bls12Functions: readonly PrecompileEntry[] = [
  { address: 0x0b, gas: () => 375, run: (data) => sum(data, g1), since },
  {
    address: 0x0c,
    gas: (data) => g1SumGas(times(data, 160)),
    run: (data, look) => sumOfProducts(data, g1, look),
    since,
  },
  { address: 0x0d, gas: () => 600, run: (data) => sum(data, g2), since },
  {
    address: 0x0e,
    gas: (data) => g2SumGas(times(data, 288)),
    run: (data, look) => sumOfProducts(data, g2, look),
    since,
  },
  { address: 0x0f, gas: (data) => 37_700 + 32_600 * times(data, 384), run: pairing, since },
  { address: 0x10, gas: () => 5500, run: mapToG1, since },
  { address: 0x11, gas: () => 23_800, run: mapToG2, since },
];

type Point<Self> = { add(other: Self): Self; is0(): boolean };
type Group<Self extends Point<Self>> = {
  length: number;
  zero: Self;
  /** null: not on the curve. */
  read(data: Uint8Array, start: number): Self | null;
  /** Of a point that is read. */
  isOfPrimeOrder(point: Self): boolean;
  sumOfProducts(points: Self[], scalars: bigint[]): Self;
  write(point: Self): Uint8Array;
};

const g1: Group<G1Point> = {
  length: g1Length,
  zero: G1.Point.ZERO,
  read: readG1,
  isOfPrimeOrder: (point) => point.is0() || isInBlsG1(point.toAffine()),
  sumOfProducts: (points, scalars) => mulAddUnsafe(G1.Point, points, scalars),
  write: writeG1,
};
const g2: Group<G2Point> = {
  length: g2Length,
  zero: G2.Point.ZERO,
  read: readG2,
  isOfPrimeOrder: (point) => point.is0() || isInBlsG2(point.toAffine()),
  sumOfProducts: (points, scalars) => mulAddUnsafe(G2.Point, points, scalars),
  write: writeG2,
};

/** Also of points outside of the group of prime order. */
function sum<Self extends Point<Self>>(data: Uint8Array, { length, read, write }: Group<Self>): Uint8Array | null {
  if (data.length !== 2 * length) return null;
  const one = read(data, 0);
  const other = one && read(data, length);
  return one && other ? write(one.add(other)) : null;
}

/**
 * Products that are summed at once, with one chain of doublings: with 16 the doublings are less than a tenth of the
 * work, and two looks at the time are some tens of milliseconds apart. The library's Pippenger takes longer up to 256
 * products.
 */
const summedAtOnce = 32;

function sumOfProducts<Self extends Point<Self>>(
  data: Uint8Array,
  group: Group<Self>,
  look: () => void,
): Uint8Array | null {
  const { length, zero, read, isOfPrimeOrder, write } = group;
  const size = length + scalarLength;
  if (data.length === 0 || data.length % size !== 0) return null;
  let total = zero;
  let points: Self[] = [];
  let scalars: bigint[] = [];
  for (let at = 0; at < data.length; at += size) {
    look();
    const point = read(data, at);
    if (point === null || !isOfPrimeOrder(point)) return null;
    const scalar = readWord(data, at + length, scalarLength) % Fr.ORDER;
    if (scalar > 0n && !point.is0()) {
      points.push(point);
      scalars.push(scalar);
    }
    const isLast = at + size === data.length;
    if (points.length < summedAtOnce && !isLast) continue;
    total = total.add(group.sumOfProducts(points, scalars));
    points = [];
    scalars = [];
  }
  return write(total);
}

function pairing(data: Uint8Array, look: () => void): Uint8Array | null {
  const size = g1Length + g2Length;
  if (data.length === 0 || data.length % size !== 0) return null;
  const pairs: { g1: G1Point; g2: G2Point }[] = [];
  for (let at = 0; at < data.length; at += size) {
    look();
    const one = readG1(data, at);
    const other = one && readG2(data, at + g1Length);
    if (!one || !other || !g1.isOfPrimeOrder(one) || !g2.isOfPrimeOrder(other)) return null;
    if (!one.is0() && !other.is0()) pairs.push({ g1: one, g2: other });
  }
  return writeWord(pairToOne(bls12_381, pairs, look) ? 1n : 0n);
}

// The library maps to points, and one element for G1, which its types do not say.
const mapG1 = G1.mapToCurve as unknown as (element: bigint) => G1Point;
const mapG2 = G2.mapToCurve as unknown as (element: [bigint, bigint]) => G2Point;

function mapToG1(data: Uint8Array): Uint8Array | null {
  const element = data.length === elementLength ? readElement(data, 0) : null;
  return element === null ? null : writeG1(mapG1(element));
}

function mapToG2(data: Uint8Array): Uint8Array | null {
  const [c0, c1] = data.length === 2 * elementLength ? [readElement(data, 0), readElement(data, elementLength)] : [];
  if (c0 === undefined || c0 === null || c1 === undefined || c1 === null) return null;
  return writeG2(mapG2([c0, c1]));
}

/** 16 bytes of zeros, then 48. null: not below the modulus. */
function readElement(data: Uint8Array, start: number): bigint | null {
  const value = readWord(data, start, elementLength);
  return value < Fp.ORDER ? value : null;
}

function readG1(data: Uint8Array, start: number): G1Point | null {
  const x = readElement(data, start);
  const y = readElement(data, start + elementLength);
  if (x === null || y === null) return null;
  if (x === 0n && y === 0n) return G1.Point.ZERO;
  if (Fp.sqr(y) !== Fp.add(Fp.mul(Fp.sqr(x), x), g1B)) return null;
  return G1.Point.fromAffine({ x, y });
}

function readG2(data: Uint8Array, start: number): G2Point | null {
  const parts: bigint[] = [];
  for (let at = start; at < start + g2Length; at += elementLength) {
    const part = readElement(data, at);
    if (part === null) return null;
    parts.push(part);
  }
  if (parts.every((part) => part === 0n)) return G2.Point.ZERO;
  const x = Fp2.fromBigTuple([parts[0]!, parts[1]!]);
  const y = Fp2.fromBigTuple([parts[2]!, parts[3]!]);
  if (!Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), g2B))) return null;
  return G2.Point.fromAffine({ x, y });
}

function writeG1(point: G1Point): Uint8Array {
  if (point.is0()) return new Uint8Array(g1Length);
  const { x, y } = point.toAffine();
  return writeElements([x, y]);
}

function writeG2(point: G2Point): Uint8Array {
  if (point.is0()) return new Uint8Array(g2Length);
  const { x, y } = point.toAffine();
  return writeElements([x.c0, x.c1, y.c0, y.c1]);
}

function writeElements(elements: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(elements.length * elementLength);
  for (const [index, element] of elements.entries())
    bytes.set(writeWord(element, elementLength), index * elementLength);
  return bytes;
}
