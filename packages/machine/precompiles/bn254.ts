// 0x06 sum, 0x07 product, 0x08 pairing of points of BN254 (EIP-196 and EIP-197, priced by EIP-1108).
import { bn254 } from '@noble/curves/bn254.js';
import { readWord, writeWord } from '../base/word.ts';
import { pairToOne } from './pairing.ts';
import type { PrecompileEntry } from './precompile.ts';
import { isInBnG2 } from './prime-order.ts';

const { G1, G2, fields } = bn254;
const { Fp, Fp2, Fr } = fields;
type G1Point = InstanceType<typeof G1.Point>;
type G2Point = InstanceType<typeof G2.Point>;

const pairLength = 192;
const g1B = 3n;
/** 3 / (9 + u) */
const g2B = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));

export const bn254Functions: readonly PrecompileEntry[] = [
  { address: 0x06, gas: () => 150, run: sum },
  { address: 0x07, gas: () => 6000, run: product },
  { address: 0x08, gas: (data) => 45_000 + 34_000 * Math.floor(data.length / pairLength), run: pairing },
];

function sum(data: Uint8Array): Uint8Array | null {
  const one = readG1(data, 0);
  const other = readG1(data, 64);
  return one && other ? writeG1(one.add(other)) : null;
}

function product(data: Uint8Array): Uint8Array | null {
  const point = readG1(data, 0);
  if (point === null) return null;
  const scalar = readWord(data, 64, 32) % Fr.ORDER;
  return writeG1(scalar === 0n ? G1.Point.ZERO : point.multiplyUnsafe(scalar));
}

function pairing(data: Uint8Array, look: () => void): Uint8Array | null {
  if (data.length % pairLength !== 0) return null;
  const pairs: { g1: G1Point; g2: G2Point }[] = [];
  for (let at = 0; at < data.length; at += pairLength) {
    look();
    const g1 = readG1(data, at);
    const g2 = g1 && readG2(data, at + 64);
    if (!g1 || !g2) return null;
    if (!g1.is0() && !g2.is0()) pairs.push({ g1, g2 });
  }
  return writeWord(pairToOne(bn254, pairs, look) ? 1n : 0n);
}

/** null: not on the curve. Every point of the curve is in the group. */
function readG1(data: Uint8Array, start: number): G1Point | null {
  const [x, y] = [readWord(data, start, 32), readWord(data, start + 32, 32)];
  if (x >= Fp.ORDER || y >= Fp.ORDER) return null;
  if (x === 0n && y === 0n) return G1.Point.ZERO;
  if (Fp.sqr(y) !== Fp.add(Fp.mul(Fp.sqr(x), x), g1B)) return null;
  return G1.Point.fromAffine({ x, y });
}

/** null: not on the curve, or not in the group. The imaginary part comes first. */
function readG2(data: Uint8Array, start: number): G2Point | null {
  const parts = [0, 32, 64, 96].map((at) => readWord(data, start + at, 32));
  if (parts.some((part) => part >= Fp.ORDER)) return null;
  if (parts.every((part) => part === 0n)) return G2.Point.ZERO;
  const x = Fp2.fromBigTuple([parts[1]!, parts[0]!]);
  const y = Fp2.fromBigTuple([parts[3]!, parts[2]!]);
  if (!Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), g2B))) return null;
  return isInBnG2({ x, y }) ? G2.Point.fromAffine({ x, y }) : null;
}

function writeG1(point: G1Point): Uint8Array {
  const bytes = new Uint8Array(64);
  if (point.is0()) return bytes;
  const { x, y } = point.toAffine();
  bytes.set(writeWord(x));
  bytes.set(writeWord(y), 32);
  return bytes;
}
