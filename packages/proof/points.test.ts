// Points of three curves: only one encoding of each is read, and nothing outside of the groups.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readG1, readG2 } from './bls12-points.ts';
import { readBn254G1, readBn254G2 } from './bn254-points.ts';
import { compressEdwards, edwardsGenerator, edwardsOrder, readEdwards, writeEdwards } from './edwards-points.ts';
import { isSameBytes, writeScalar } from './field-bytes.ts';
import { ProofRefusal } from './proof-refusal.ts';

const scalar = fc.bigInt(1n, 1n << 200n);
const runs = { numRuns: 15 };

describe('BLS12-381', () => {
  const { G1, G2, fields } = bls12_381;

  it('what the library writes is read', () => {
    fc.assert(
      fc.property(scalar, (value) => {
        const [one, two] = [G1.Point.BASE.multiplyUnsafe(value), G2.Point.BASE.multiplyUnsafe(value)];
        expect(readG1(one.toBytes(false), 'point').equals(one)).toBe(true);
        expect(readG2(two.toBytes(false), 'point').equals(two)).toBe(true);
      }),
      runs,
    );
    expect(readG1(G1.Point.ZERO.toBytes(false), 'point').is0()).toBe(true);
    expect(readG2(G2.Point.ZERO.toBytes(false), 'point').is0()).toBe(true);
  });

  /** Where x has a point whose order is not that of the group. */
  function findOutside(): Uint8Array {
    for (let x = 1n; ; x++) {
      try {
        const y = fields.Fp.sqrt(fields.Fp.add(x ** 3n, 4n));
        const point = G1.Point.fromAffine({ x, y });
        if (!point.isTorsionFree()) return Buffer.concat([fields.Fp.toBytes(x), fields.Fp.toBytes(y)]);
      } catch {
        // This x has no point.
      }
    }
  }

  it.each([
    ['a point outside of the subgroup', findOutside(), 'subgroup'],
    ['two coordinates of 0', Buffer.alloc(96), 'on the curve'],
    ['a point that is not on the curve', Buffer.alloc(96, 1), 'on the curve'],
    ['the flag of compression', flagged(0x80), 'without flags'],
    ['the flag of the sign', flagged(0x20), 'without flags'],
    ['infinity that is not zero', flagged(0x40), 'without flags'],
    ['an x beyond the modulus', beyond(), 'on the curve'],
  ])('%s is refused', (_name, bytes, expected) => {
    expect(() => readG1(bytes, 'point')).toThrow(ProofRefusal);
    expect(() => readG1(bytes, 'point')).toThrow(expected);
  });

  function flagged(flag: number): Uint8Array {
    const bytes = Buffer.from(G1.Point.BASE.toBytes(false));
    bytes[0]! |= flag;
    return bytes;
  }

  /** The same x, of a second encoding. */
  function beyond(): Uint8Array {
    for (let k = 1n; ; k++) {
      const { x, y } = G1.Point.BASE.multiplyUnsafe(k).toAffine();
      if ((x + fields.Fp.ORDER) >> 381n > 0n) continue;
      return Buffer.from(
        (x + fields.Fp.ORDER).toString(16).padStart(96, '0') + y.toString(16).padStart(96, '0'),
        'hex',
      );
    }
  }
});

describe('BN254', () => {
  const { G1, G2, fields } = bn254;
  const { Fp, Fp2 } = fields;

  function write1(point: InstanceType<typeof G1.Point>): Uint8Array {
    const { x, y } = point.toAffine();
    const bytes = writeScalar(x);
    if (y > Fp.neg(y)) bytes[31]! |= 0x80;
    return bytes;
  }

  it('x and the larger y are read', () => {
    fc.assert(
      fc.property(scalar, (value) => {
        const point = G1.Point.BASE.multiplyUnsafe(value);
        expect(readBn254G1(write1(point), 'point').equals(point)).toBe(true);
        expect(readBn254G1(write1(point.negate()), 'point').equals(point.negate())).toBe(true);
        const other = G2.Point.BASE.multiplyUnsafe(value);
        const { x, y } = other.toAffine();
        const negated = Fp2.neg(y);
        const bytes = Buffer.concat([writeScalar(x.c0), writeScalar(x.c1)]);
        if (y.c1 > negated.c1) bytes[63]! |= 0x80;
        expect(readBn254G2(bytes, 'point').equals(other)).toBe(true);
        bytes[63]! ^= 0x80;
        expect(readBn254G2(bytes, 'point').equals(other.negate())).toBe(true);
      }),
      runs,
    );
  });

  const infinity = Buffer.alloc(32);
  infinity[31] = 0x40;
  const last = (byte: number, rest = 0) => Buffer.concat([Buffer.alloc(31, rest), Buffer.of(byte)]);

  it('infinity has one encoding', () => {
    expect(readBn254G1(infinity, 'point').is0()).toBe(true);
    expect(readBn254G2(Buffer.concat([Buffer.alloc(32), infinity]), 'point').is0()).toBe(true);
    for (const bytes of [last(0xc0), last(0x41), last(0x40, 1)]) {
      expect(() => readBn254G1(bytes, 'point')).toThrow('at infinity');
    }
  });

  it.each([
    ['an x beyond the modulus', last(0x3f, 0xff), 'below its modulus'],
    ['an x without a point', last(0, 0), 'on the curve'],
  ])('%s is refused', (_name, bytes, expected) => {
    expect(() => readBn254G1(bytes, 'point')).toThrow(ProofRefusal);
    expect(() => readBn254G1(bytes, 'point')).toThrow(expected);
  });

  it('points of the twist outside of the subgroup are refused', () => {
    const problems = new Set<string>();
    for (let x = 1; x < 12; x++) {
      const bytes = Buffer.alloc(64);
      bytes[0] = x;
      try {
        readBn254G2(bytes, 'point');
      } catch (error) {
        problems.add((error as Error).message);
      }
    }
    expect([...problems].some((text) => text.includes('found a point outside of it'))).toBe(true);
    expect(problems.size).toBe(2);
  });
});

describe('the Edwards curve', () => {
  it('what is written is read', () => {
    fc.assert(
      fc.property(scalar, (value) => {
        const point = edwardsGenerator.multiplyUnsafe(value);
        expect(readEdwards(writeEdwards(point), 'point').equals(point)).toBe(true);
        expect(isSameBytes(compressEdwards(point), compressEdwards(point.negate()))).toBe(false);
      }),
      runs,
    );
    expect(edwardsGenerator.multiplyUnsafe(edwardsOrder - 1n).equals(edwardsGenerator.negate())).toBe(true);
    expect(readEdwards(Buffer.concat([writeScalar(0n), writeScalar(1n)]), 'point').is0()).toBe(true);
  });

  const q = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
  it.each([
    ['of order 2', 0n, q - 1n, 'in the subgroup'],
    ['of order 4', 1n, 0n, 'in the subgroup'],
    ['not on the curve', 2n, 2n, 'on its curve'],
    ['with x beyond the modulus', q, 1n, 'below its modulus'],
  ])('a point %s is refused', (_name, x, y, expected) => {
    expect(() => readEdwards(Buffer.concat([writeScalar(x), writeScalar(y)]), 'point')).toThrow(expected);
  });
});
