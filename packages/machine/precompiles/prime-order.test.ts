// The short checks against the library's, over points of the whole curves.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInBlsG1, isInBlsG2, isInBnG2 } from './prime-order.ts';
import { precompilesOf } from './table.ts';

const blsFields = bls12_381.fields;
const bnFields = bn254.fields;
const bnB = bnFields.Fp2.div(bnFields.Fp2.fromBigTuple([3n, 0n]), bnFields.Fp2.fromBigTuple([9n, 1n]));

type Affine = { x: unknown; y: unknown };
type Point = {
  toAffine(): Affine;
  is0(): boolean;
  add(other: Point): Point;
  double(): Point;
  isTorsionFree(): boolean;
  clearCofactor(): Point;
};
type Curve = {
  name: string;
  isIn(point: Affine): boolean;
  /** null: the curve has no point with this x. */
  at(c0: bigint, c1: bigint): Point | null;
  base: Point;
  order: bigint;
  /** Primes that divide the cofactor, and the cofactor. */
  factors: bigint[];
  cofactor: bigint;
};

function pointOver(fields: typeof blsFields | typeof bnFields, Group: { fromAffine(at: never): unknown }, b: unknown) {
  const { Fp2 } = fields as typeof blsFields;
  return (c0: bigint, c1: bigint): Point | null => {
    const x = Fp2.fromBigTuple([c0, c1]);
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b as typeof x);
    if (!Fp2.eql(Fp2.pow(square, (Fp2.ORDER - 1n) / 2n), Fp2.ONE)) return null;
    return Group.fromAffine({ x, y: Fp2.sqrt(square) } as never) as Point;
  };
}

const curves: Curve[] = [
  {
    name: 'G1 of BLS12-381',
    isIn: isInBlsG1 as Curve['isIn'],
    at(c0) {
      const { Fp } = blsFields;
      const x = Fp.create(c0);
      const square = Fp.add(Fp.mul(Fp.sqr(x), x), 4n);
      if (Fp.pow(square, (Fp.ORDER - 1n) / 2n) !== 1n) return null;
      return bls12_381.G1.Point.fromAffine({ x, y: Fp.sqrt(square) }) as unknown as Point;
    },
    base: bls12_381.G1.Point.BASE as unknown as Point,
    order: blsFields.Fr.ORDER,
    factors: [3n, 11n, 10177n, 859267n, 52437899n],
    cofactor: 0x396c8c005555e1568c00aaab0000aaabn,
  },
  {
    name: 'G2 of BLS12-381',
    isIn: isInBlsG2 as Curve['isIn'],
    at: pointOver(blsFields, bls12_381.G2.Point, blsFields.Fp2.fromBigTuple([4n, 4n])),
    base: bls12_381.G2.Point.BASE as unknown as Point,
    order: blsFields.Fr.ORDER,
    factors: [13n, 23n, 2713n],
    cofactor:
      0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5n,
  },
  {
    name: 'G2 of BN254',
    isIn: isInBnG2 as Curve['isIn'],
    at: pointOver(bnFields, bn254.G2.Point, bnB),
    base: bn254.G2.Point.BASE as unknown as Point,
    order: bnFields.Fr.ORDER,
    factors: [10069n, 5864401n, 1875725156269n, 197620364512881247228717050342013327560683201906968909n],
    cofactor: 2n * bnFields.Fp.ORDER - bnFields.Fr.ORDER,
  },
];

/** Also of numbers above the order of the group, which the library refuses. */
function times(point: Point, factor: bigint): Point {
  let result: Point | null = null;
  for (const bit of factor.toString(2)) {
    if (result) result = result.double();
    if (bit === '1') result = result ? result.add(point) : point;
  }
  return result!;
}

describe.each(curves)('$name', ({ isIn, at, base, order, factors, cofactor }) => {
  const coordinate = fc.bigInt({ min: 0n, max: (1n << 253n) - 1n });
  const onCurve = fc
    .tuple(coordinate, coordinate)
    .map(([c0, c1]) => at(c0, c1))
    .filter((point) => point !== null);

  it('agrees with the library about any point of the curve, and about its part in the group', () => {
    fc.assert(
      fc.property(onCurve, fc.bigInt({ min: 1n, max: order - 1n }), (point, factor) => {
        expect(isIn(point.toAffine())).toBe(point.isTorsionFree());
        const inside = times(base, factor);
        expect(isIn(inside.toAffine())).toBe(true);
        const mixed = inside.add(point);
        expect(isIn(mixed.toAffine())).toBe(mixed.isTorsionFree());
      }),
      { numRuns: 15 },
    );
  });

  /** The cofactor may hold it more than once, and the points of all its powers one factor each. */
  function pointOfOrder(factor: bigint): Point {
    let others = order * cofactor;
    while (others % factor === 0n) others /= factor;
    for (let x = 1n; x < 1000n; x++) {
      const point = at(x, 1n);
      if (point === null) continue;
      let part = times(point, others);
      if (part.is0()) continue;
      for (let next = times(part, factor); !next.is0(); next = times(part, factor)) part = next;
      return part;
    }
    throw new Error('no such point');
  }

  it('refuses points whose order divides the cofactor, alone and added to one of the group', () => {
    for (const factor of factors) {
      expect(cofactor % factor).toBe(0n);
      const small = pointOfOrder(factor);
      expect(times(small, factor).is0()).toBe(true);
      expect(isIn(small.toAffine())).toBe(false);
      expect(isIn(small.add(base).toAffine())).toBe(false);
    }
  });
});

describe('sums of products', () => {
  const word = (value: bigint, length: number) => Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');
  const scalars = fc.array(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), { minLength: 1, maxLength: 70 });
  const { G1, G2, fields } = bls12_381;
  const run = (address: bigint, data: Buffer) =>
    precompilesOf('prague')
      .get(address)!
      .run(data, () => {});

  it('are the products of the library, one by one and added', () => {
    fc.assert(
      fc.property(scalars, fc.bigInt({ min: 1n, max: 1n << 64n }), (factors, start) => {
        const points = factors.map((_, place) => G1.Point.BASE.multiplyUnsafe(start + BigInt(place)));
        const sum = points.reduce(
          (total, point, place) => total.add(point.multiplyUnsafe(factors[place]! % fields.Fr.ORDER)),
          G1.Point.ZERO,
        );
        const write = (point: typeof sum) => {
          const { x, y } = point.is0() ? { x: 0n, y: 0n } : point.toAffine();
          return Buffer.concat([word(x, 64), word(y, 64)]);
        };
        const data = points.map((point, place) => Buffer.concat([write(point), word(factors[place]!, 32)]));
        expect(Buffer.from(run(0x0cn, Buffer.concat(data))!)).toEqual(write(sum));
      }),
      { numRuns: 8 },
    );
    fc.assert(
      fc.property(scalars, (factors) => {
        const points = factors.map((_, place) => G2.Point.BASE.multiplyUnsafe(7n + BigInt(place % 5)));
        const sum = points.reduce(
          (total, point, place) => total.add(point.multiplyUnsafe(factors[place]! % fields.Fr.ORDER)),
          G2.Point.ZERO,
        );
        const write = (point: typeof sum) => {
          if (point.is0()) return Buffer.alloc(256);
          const { x, y } = point.toAffine();
          return Buffer.concat([x.c0, x.c1, y.c0, y.c1].map((part) => word(part, 64)));
        };
        const data = points.map((point, place) => Buffer.concat([write(point), word(factors[place]!, 32)]));
        expect(Buffer.from(run(0x0en, Buffer.concat(data))!)).toEqual(write(sum));
      }),
      { numRuns: 4 },
    );
  });
});
