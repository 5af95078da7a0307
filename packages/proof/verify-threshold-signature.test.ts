import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { createLabNetwork } from '../test-support/proofs/lab-network.ts';
import { createRotatingLabNetwork } from '../test-support/proofs/rotating-lab-network.ts';
import { isLong } from '../test-support/run/is-long.ts';
import { readG1, readG2, scalarField } from './bls12-points.ts';
import { readHintsKey } from './hints-key.ts';
import { readHintsSignature } from './hints-signature.ts';
import { makeChallenges } from './merged-argument.ts';
import { makeChallenge } from './separate-argument.ts';
import { verifyHints } from './verify-hints.ts';
import { verifyThresholdSignature } from './verify-threshold-signature.ts';

const { G1, G2, fields } = bls12_381;
const message = Buffer.alloc(48, 5);
const weights = [3n, 4n, 5n, 6n];
const forms = [
  ['merged', createRotatingLabNetwork({ weights })],
  ['separate', createLabNetwork({ weights })],
] as const;
const [merged, separate] = [forms[0][1], forms[1][1]];

// Lets the runner hear of the test before: each computes for long.
beforeEach(() => setImmediate());

/** A copy with other bytes at an offset. */
function changed(bytes: Uint8Array, offset: number, part: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(part, offset);
  return copy;
}

describe.each(forms)('%s', (_form, network) => {
  const signature = network.hints(message, [1, 2, 3]);

  it.skipIf(isLong)('is good for its message, of any length but none', () => {
    expect(verifyThresholdSignature(network.key, signature, message)).toBe(true);
    expect(verifyThresholdSignature(network.key, signature, message.subarray(1))).toBe(false);
    for (const length of [1, 32, 64, 1000]) {
      const other = randomBytes(length);
      expect(verifyThresholdSignature(network.key, network.hints(other, [1, 2, 3]), other)).toBe(true);
    }
    const none = new Uint8Array();
    expect(verifyThresholdSignature(network.key, network.hints(none, [1, 2, 3]), none)).toBe(false);
  });

  it('is bad with any bit changed, of the key, too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(), async (isOfKey, place) => {
        await setImmediate();
        const bytes = isOfKey ? network.key : signature;
        const bit = place % (8 * bytes.length);
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        const [key, asked] = isOfKey ? [flipped, signature] : [network.key, flipped];
        expect(verifyThresholdSignature(key, asked, message)).toBe(false);
      }),
      { numRuns: isLong ? 60 : 15 },
    );
  });

  it.skipIf(isLong)('is bad in any other length, and never throws', () => {
    for (const length of [0, 1, 1095, 1097, 1247, 1249, 1280, 1631, 1633]) {
      const other = Buffer.concat([signature, Buffer.alloc(700)]).subarray(0, length);
      expect(verifyThresholdSignature(network.key, other, message)).toBe(false);
      const key = Buffer.concat([network.key, Buffer.alloc(700)]).subarray(0, length);
      expect(verifyThresholdSignature(key, signature, message)).toBe(false);
    }
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1096, maxLength: 1096 }), (key) => {
        expect(verifyThresholdSignature(key, signature, message)).toBe(false);
      }),
    );
    const length = signature.length;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: length, maxLength: length }), (bytes) => {
        expect(verifyThresholdSignature(network.key, bytes, message)).toBe(false);
      }),
    );
  });

  it.skipIf(isLong)('is bad with zeros or infinity anywhere', () => {
    const infinite = (length: number) => Buffer.concat([Buffer.of(0x40), Buffer.alloc(length - 1)]);
    for (const { offset, length } of pointsOf(signature)) {
      for (const part of [infinite(length), Buffer.alloc(length)]) {
        const bytes = changed(signature, offset, part);
        expect([offset, verifyThresholdSignature(network.key, bytes, message)]).toEqual([offset, false]);
      }
    }
    for (const { offset, length } of keyPoints) {
      const key = changed(network.key, offset, infinite(length));
      expect([offset, verifyThresholdSignature(key, signature, message)]).toEqual([offset, false]);
    }
    let everywhere: Buffer = Buffer.from(signature);
    for (const { offset, length } of pointsOf(signature)) everywhere = changed(everywhere, offset, infinite(length));
    expect(verifyThresholdSignature(network.key, everywhere, message)).toBe(false);
  });

  it.skipIf(isLong)('is bad where a point has a part of small order, which no pairing notices', () => {
    for (const { offset, length } of pointsOf(signature)) {
      const point = withSmallOrder(signature.subarray(offset, offset + length));
      expect(() => (length === 96 ? readG1 : readG2)(point, 'point')).toThrow('subgroup');
      const bytes = changed(signature, offset, point);
      expect([offset, verifyThresholdSignature(network.key, bytes, message)]).toEqual([offset, false]);
    }
    for (const { offset, length } of keyPoints) {
      const key = changed(network.key, offset, withSmallOrder(network.key.subarray(offset, offset + length)));
      expect([offset, verifyThresholdSignature(key, signature, message)]).toEqual([offset, false]);
    }
  });

  it.skipIf(isLong)('is bad with coordinates or scalars that are not below their modulus', () => {
    const { ORDER: p } = fields.Fp;
    const big = (value: bigint) => Buffer.from(value.toString(16).padStart(96, '0'), 'hex');
    for (const { offset, length } of pointsOf(signature)) {
      for (let at = offset; at < offset + length; at += 48) {
        const value = BigInt(`0x${signature.subarray(at, at + 48).toString('hex')}`) + p;
        // Three bits are flags: the coordinate has a second form where it fits below them.
        if (value >> 381n !== 0n) continue;
        expect([at, verifyThresholdSignature(network.key, changed(signature, at, big(value)), message)]).toEqual([
          at,
          false,
        ]);
      }
    }
    const scalars = [
      96,
      ...Array.from({ length: signature.length === 1248 ? 5 : 8 }, (_, place) => signature.length - 32 * (place + 1)),
    ];
    for (const at of scalars) {
      const value =
        BigInt(
          `0x${Buffer.from(signature.subarray(at, at + 32))
            .reverse()
            .toString('hex')}`,
        ) + scalarField.ORDER;
      if (value >> 256n !== 0n) continue;
      const bytes = Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
      expect([at, verifyThresholdSignature(network.key, changed(signature, at, bytes), message)]).toEqual([at, false]);
    }
  });
});

/** G1 points, and the BLS signature of G2. */
function pointsOf({ length }: Uint8Array): { offset: number; length: number }[] {
  const count = length === 1248 ? 8 : 11;
  const others = Array.from({ length: count }, (_, place) => ({ offset: 320 + 96 * place, length: 96 }));
  return [{ offset: 0, length: 96 }, { offset: 128, length: 192 }, ...others];
}

const keyPoints = [40, 136, 328, 520, 616, 712, 904].map((offset) => ({
  offset,
  length: [40, 520, 616].includes(offset) ? 96 : 192,
}));

/**
 * Of order 3 on the curve of G1, and of a small order on the twist: what is left of a point of the curve times its
 * other orders.
 */
const smallG1 = (() => {
  const { Fp } = fields;
  const cofactorPart = 0x396c8c005555e1568c00aaab0000aaabn / 3n;
  for (let x = 1n; ; x++) {
    try {
      const y = Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n));
      const point = G1.Point.fromAffine({ x, y });
      const part = times(times(point, cofactorPart), fields.Fr.ORDER);
      if (!part.is0()) return part;
    } catch {
      // This x has no point.
    }
  }
})();

const smallG2 = (() => {
  const { Fp2 } = fields;
  const b = Fp2.fromBigTuple([4n, 4n]);
  for (let x = 1n; ; x++) {
    try {
      const at = Fp2.fromBigTuple([x, 1n]);
      const point = G2.Point.fromAffine({ x: at, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(at), at), b)) });
      const part = times(point, fields.Fr.ORDER);
      if (!part.is0()) return part;
    } catch {
      // This x has no point.
    }
  }
})();

/** Points outside of the group are not multiplied by the library. */
function times<Point extends { add(other: Point): Point; double(): Point }>(point: Point, factor: bigint): Point {
  const bits = factor.toString(2).slice(1);
  let sum = point;
  for (const bit of bits) {
    sum = sum.double();
    if (bit === '1') sum = sum.add(point);
  }
  return sum;
}

/** The library writes no point outside of the group. */
function withSmallOrder(bytes: Uint8Array): Uint8Array {
  const { Fp } = fields;
  if (bytes.length === 96) {
    const { x, y } = G1.Point.fromBytes(bytes).add(smallG1).toAffine();
    return Buffer.concat([x, y].map((value) => Fp.toBytes(value)));
  }
  const { x, y } = G2.Point.fromBytes(bytes).add(smallG2).toAffine();
  return Buffer.concat([x.c1, x.c0, y.c1, y.c0].map((value) => Fp.toBytes(value)));
}

test.skipIf(isLong)('equations hold with parts of small order: only the check of each point finds them', () => {
  const read = readHintsSignature(merged.hints(message, [1, 2, 3]));
  const key = readHintsKey(merged.key);
  for (const name of ['opening', 'openingBefore'] as const) {
    const with3 = { ...read, [name]: read[name].add(smallG1) };
    expect(verifyHints(key, with3, [message], randomBytes)).toBe(message);
    const wrong = { ...read, [name]: read[name].add(G1.Point.BASE) };
    expect(() => verifyHints(key, wrong, [message], randomBytes)).toThrow('argument: expected');
  }
});

describe.skipIf(isLong)('the weight', () => {
  it.each([
    ['half', [1n, 1n, 2n], [0, 1], false],
    ['half and one', [1n, 1n, 2n, 1n], [0, 2], true],
    ['of the heaviest alone', [5n, 1n, 3n], [0], true],
    ['of all', [1n, 1n, 1n], [0, 1, 2], true],
    ['of the only node', [1n], [0], true],
    ['with nodes of none', [0n, 7n, 0n], [0, 1, 2], true],
    ['of 63 bits', [(1n << 62n) + 1n, (1n << 62n) - 2n], [0], true],
    ['of 64 bits', [1n << 63n, (1n << 63n) - 1n], [0], true],
    ['of 64 bits, half', [1n << 62n, 1n << 62n, 1n << 62n, (1n << 62n) - 1n], [0, 3], false],
    ['of more than 64 bits', [1n << 64n, 1n], [0], false],
  ])('%s', (_name, given, signers, expected) => {
    const network = createRotatingLabNetwork({ weights: given, seed: 'weights' });
    expect(verifyThresholdSignature(network.key, network.hints(message, signers), message)).toBe(expected);
  });

  it('is that of any majority, and of no minority', async () => {
    const one = fc.record({
      given: fc.array(fc.bigInt(0n, 1n << 40n), { minLength: 1, maxLength: 7 }),
      picks: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(one, async ({ given, picks }) => {
        await setImmediate();
        const signers = given.flatMap((_, node) => (picks[node] ? [node] : []));
        fc.pre(signers.length > 0);
        const network = createRotatingLabNetwork({ weights: given });
        const total = given.reduce((sum, weight) => sum + weight, 0n);
        const signed = signers.reduce((sum, node) => sum + given[node]!, 0n);
        const isGood = verifyThresholdSignature(network.key, network.hints(message, signers), message);
        expect(isGood).toBe(2n * signed > total);
      }),
      { numRuns: 6 },
    );
  });

  it('cannot be another one than that of the signers', () => {
    const signature = merged.hints(message, [0, 1]);
    const claimed = Buffer.from(signature);
    claimed[96] = 18;
    expect(verifyThresholdSignature(merged.key, claimed, message)).toBe(false);
  });
});

describe.skipIf(isLong)('another way to make it', () => {
  it('is not that of the other length, or of another key', () => {
    const signature = merged.hints(message, [1, 2, 3]);
    const padded = Buffer.concat([signature, Buffer.alloc(384)]);
    expect(verifyThresholdSignature(merged.key, padded, message)).toBe(false);
    expect(verifyThresholdSignature(separate.key, separate.hints(message, [1, 2, 3]).subarray(0, 1248), message)).toBe(
      false,
    );
    expect(verifyThresholdSignature(merged.rotate([4n, 4n, 5n, 6n]).key, signature, message)).toBe(false);
  });

  it('has a name of its own where it is that of another version', () => {
    // As such a version makes them: the same parts, with the challenge of another domain.
    const key = readHintsKey(separate.key);
    const read = readHintsSignature(signInOtherDomain());
    if (read.form !== 'separate') throw new Error('another form');
    const say = () => verifyHints(key, read, [message], randomBytes);
    expect(say).toThrow('generation: expected a hinTS signature of this length, found one made by another version');
  });

  /** Quotients and sums that fit the other challenge. */
  function signInOtherDomain(): Buffer {
    const signature = Buffer.from(separate.hints(message, [1, 2, 3]));
    const read = readHintsSignature(signature);
    if (read.form !== 'separate') throw new Error('another form');
    const F = scalarField;
    const key = readHintsKey(separate.key);
    const x = makeChallenge(key, read, Buffer.from('HINTS_SIG_BLS12381:FIAT_SHAMIR_HINTS'));
    // With ps = b = 1 and the rest as the identities ask for it: identities of numbers alone tell the domain.
    const z = F.sub(F.pow(x, key.size), F.ONE);
    const lastPlace = F.inv(key.omega);
    const last = F.div(F.mul(F.div(lastPlace, key.size), z), F.sub(x, lastPlace));
    const values = [1n, 1n, 0n, 1n, 0n, F.div(last, z), 0n, 0n];
    for (const [place, value] of values.entries()) {
      signature.set(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse(), 1376 + 32 * place);
    }
    return signature;
  }
});

describe.skipIf(isLong)('equations that are tested together', () => {
  const random = (length: number) => Buffer.alloc(length, 7);

  it('are each kept apart by a factor that nobody can know', () => {
    const forged = forge(merged.hints(message, [1, 2, 3]));
    const read = readHintsSignature(forged);
    // Whoever knows the factors can do it, so it is they that keep it from being done.
    expect(verifyHints(readHintsKey(merged.key), read, [message], random)).toBe(message);
    expect(verifyThresholdSignature(merged.key, forged, message)).toBe(false);
  });

  /** Both openings are wrong, and make up for each other where their factors are the same. */
  function forge(good: Buffer): Buffer {
    const [read, key, F] = [readHintsSignature(good), readHintsKey(merged.key), scalarField];
    if (read.form !== 'merged') throw new Error('another form');
    const { place } = makeChallenges(key, read);
    // (place − τ) · error + (place before − τ) · other = 0
    const [error, tau] = [12345n, merged.tau];
    const other = F.neg(F.div(F.mul(error, F.sub(place, tau)), F.sub(F.div(place, key.omega), tau)));
    const add = (point: typeof read.opening, scalar: bigint) =>
      point.add(G1.Point.BASE.multiply(scalar)).toBytes(false);
    return changed(changed(good, 896, add(read.opening, error)), 992, add(read.openingBefore, other));
  }
});
