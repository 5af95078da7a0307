// Points of y² = x³ + b in Jacobian coordinates (x/z², y/z³), of public values only: no time is hidden. Sums and
// differences of coordinates are not reduced, products are, so that one doubling takes seven divisions; the library's
// complete formulas take twice as long. Only for questions about points: what is answered is written by the library's
// own points.

/** Elements need not be the least ones; `mul` and `sqr` take what a few sums and differences make of their results. */
export type LazyField<T> = {
  one: T;
  mul(one: T, other: T): T;
  sqr(one: T): T;
  add(one: T, other: T): T;
  sub(one: T, other: T): T;
  /** Of any sum or product. */
  isZero(one: T): boolean;
};

/** z = 0: the point at infinity. */
export type JacobianPoint<T> = { x: T; y: T; z: T };

export type JacobianCurve<T> = {
  add(one: JacobianPoint<T>, other: JacobianPoint<T>): JacobianPoint<T>;
  /** `factor`: above zero. */
  multiply(point: JacobianPoint<T>, factor: bigint): JacobianPoint<T>;
  isEqual(one: JacobianPoint<T>, other: JacobianPoint<T>): boolean;
};

export function createJacobianCurve<T>(field: LazyField<T>): JacobianCurve<T> {
  const { one, mul, sqr, add, sub, isZero } = field;
  const twice = (value: T): T => add(value, value);
  const infinity: JacobianPoint<T> = { x: one, y: one, z: sub(one, one) };

  function double({ x, y, z }: JacobianPoint<T>): JacobianPoint<T> {
    const ySquare = sqr(y);
    const s = twice(twice(mul(x, ySquare)));
    const xSquare = sqr(x);
    const m = add(twice(xSquare), xSquare);
    const newX = sub(sqr(m), twice(s));
    const last = twice(twice(twice(sqr(ySquare))));
    return { x: newX, y: sub(mul(m, sub(s, newX)), last), z: twice(mul(y, z)) };
  }

  function addPoints(p: JacobianPoint<T>, q: JacobianPoint<T>): JacobianPoint<T> {
    if (isZero(p.z)) return q;
    if (isZero(q.z)) return p;
    const [pz, qz] = [sqr(p.z), sqr(q.z)];
    const u = mul(p.x, qz);
    const s = mul(p.y, mul(q.z, qz));
    const h = sub(mul(q.x, pz), u);
    const r = sub(mul(q.y, mul(p.z, pz)), s);
    if (isZero(h)) return isZero(r) ? double(p) : infinity;
    const square = sqr(h);
    const cube = mul(h, square);
    const v = mul(u, square);
    const x = sub(sub(sqr(r), cube), twice(v));
    return { x, y: sub(mul(r, sub(v, x)), mul(s, cube)), z: mul(h, mul(p.z, q.z)) };
  }

  return {
    add: addPoints,
    multiply(point, factor) {
      const negative = { ...point, y: sub(sub(one, one), point.y) };
      const [first, ...others] = signedBits(factor);
      let result = first === 1 ? point : infinity;
      for (const bit of others) {
        result = double(result);
        if (bit !== 0) result = addPoints(result, bit === 1 ? point : negative);
      }
      return result;
    },
    isEqual(p, q) {
      if (isZero(p.z) || isZero(q.z)) return isZero(p.z) && isZero(q.z);
      const [pz, qz] = [sqr(p.z), sqr(q.z)];
      return isZero(sub(mul(p.x, qz), mul(q.x, pz))) && isZero(sub(mul(p.y, mul(q.z, qz)), mul(q.y, mul(p.z, pz))));
    },
  };
}

/** The highest first; of two beside each other one is zero. */
function signedBits(factor: bigint): (-1 | 0 | 1)[] {
  const bits: (-1 | 0 | 1)[] = [];
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    const bit = (rest & 1n) === 0n ? 0 : (rest & 3n) === 1n ? 1 : -1;
    rest -= BigInt(bit);
    bits.unshift(bit);
  }
  return bits;
}

export function createLazyField(order: bigint): LazyField<bigint> {
  return {
    one: 1n,
    mul: (one, other) => (one * other) % order,
    sqr: (one) => (one * one) % order,
    add: (one, other) => one + other,
    sub: (one, other) => one - other,
    isZero: (one) => one % order === 0n,
  };
}

export type Complex = { c0: bigint; c1: bigint };

/** c0 + c1·u with u² = −1. */
export function createLazyComplexField(order: bigint): LazyField<Complex> {
  return {
    one: { c0: 1n, c1: 0n },
    mul(one, other) {
      const [real, imaginary] = [one.c0 * other.c0, one.c1 * other.c1];
      const both = (one.c0 + one.c1) * (other.c0 + other.c1);
      return { c0: (real - imaginary) % order, c1: (both - real - imaginary) % order };
    },
    sqr: ({ c0, c1 }) => ({ c0: ((c0 + c1) * (c0 - c1)) % order, c1: (2n * c0 * c1) % order }),
    add: (one, other) => ({ c0: one.c0 + other.c0, c1: one.c1 + other.c1 }),
    sub: (one, other) => ({ c0: one.c0 - other.c0, c1: one.c1 - other.c1 }),
    isZero: ({ c0, c1 }) => c0 % order === 0n && c1 % order === 0n,
  };
}
