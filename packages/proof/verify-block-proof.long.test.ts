import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { bytesField, intField, messageField } from '../protocol/wire-writer.ts';
import { createLabNetwork, type LabNetwork } from '../test-support/proofs/lab-network.ts';
import { readPublication } from './publication.ts';
import { type Trust, takePublication } from './trust.ts';
import { createProofVerifier, type Verdict } from './verify-block-proof.ts';

const root = Buffer.alloc(48, 5);

// Lets the runner hear of the test before: each computes for long.
beforeEach(() => setImmediate());

const trusts = new Map<LabNetwork, Trust>();

function trustOf(network: LabNetwork): Trust {
  const trust = trusts.get(network) ?? takePublication(null, readPublication(network.publication), 'unverified');
  trusts.set(network, trust);
  return trust;
}

function verifySigned(
  network: LabNetwork,
  signature: Uint8Array,
  roots = { sixteen: root, eight: null as Buffer | null },
): Verdict {
  const proof = Buffer.concat([intField(1, 9), messageField(2, [bytesField(1, signature)])].flat());
  const block = { number: 9n, roots, proofs: [proof] };
  return createProofVerifier({ random: randomBytes }).verify(block, trustOf(network)).verdict;
}

const four = createLabNetwork({ weights: [1n, 1n, 1n, 1n] });

describe('which signers are enough', () => {
  it('three of four', () => {
    expect(verifySigned(four, four.sign(root, [0, 1, 3]))).toMatchObject({
      state: 'verified',
      kind: 'signed',
      restsOn: 9n,
      weight: 3n,
      totalWeight: 4n,
      attestation: 'schnorr',
      rotations: null,
      origin: 'selfDeclared',
    });
  });

  it('not two of four, neither of the root nor of the key', () => {
    const key = four.attest(four.key, [0, 1, 2]);
    expect(verifySigned(four, Buffer.concat([four.key, four.hints(root, [0, 1]), key]))).toMatchObject({
      state: 'refused',
      check: 'threshold',
      expected: 'more than half of the weight, 4',
      found: '2',
    });
    const half = four.attest(four.key, [2, 3]);
    expect(verifySigned(four, Buffer.concat([four.key, four.hints(root, [0, 1, 2]), half]))).toMatchObject({
      check: 'attestation',
      found: '2',
    });
  });

  it('of weights, and not of nodes', () => {
    const uneven = createLabNetwork({
      weights: [100_000_000_000_000_000n, 49_999_999_999_999_999n, 50_000_000_000_000_000n],
    });
    expect(verifySigned(uneven, uneven.sign(root, [0])).state).toBe('verified');
    expect(verifySigned(uneven, uneven.sign(root, [1, 2]))).toMatchObject({ check: 'attestation' });
  });

  it('all of them, also where the argument has points at infinity', () => {
    const one = createLabNetwork({ weights: [1n] });
    expect(verifySigned(one, one.sign(root, [0])).state).toBe('verified');
    const all = createLabNetwork({ weights: [1n, 1n, 1n] });
    expect(verifySigned(all, all.sign(root, [0, 1, 2])).state).toBe('verified');
  });

  it('others, where the key of one came too late', () => {
    const late = createLabNetwork({ weights: [3n, 1n, 3n, 3n], size: 16, withoutKey: [1] });
    expect(verifySigned(late, late.sign(root, [0, 2, 3])).state).toBe('verified');
    const withIt = Buffer.concat([late.key, late.hints(root, [0, 2, 3]), late.attest(late.key, [0, 1, 2])]);
    expect(verifySigned(late, withIt)).toMatchObject({ check: 'attestation' });
  });

  it('any majority of any weights, and no minority', async () => {
    const network = fc.record({
      weights: fc.array(fc.bigInt(1n, 1n << 40n), { minLength: 1, maxLength: 7 }),
      picks: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(network, async ({ weights, picks }) => {
        await setImmediate();
        const signers = weights.flatMap((_, node) => (picks[node] ? [node] : []));
        fc.pre(signers.length > 0);
        const lab = createLabNetwork({ weights });
        const signed = signers.reduce((sum, node) => sum + weights[node]!, 0n);
        const total = weights.reduce((sum, weight) => sum + weight, 0n);
        const expected = 2n * signed > total ? 'verified' : 'refused';
        expect(verifySigned(lab, lab.sign(root, signers)).state).toBe(expected);
      }),
      { numRuns: 4 },
    );
  });
});

describe('what is refused', () => {
  const signed = four.sign(root, [0, 1, 3]);
  const other = createLabNetwork({ weights: [1n, 1n, 1n, 1n], seed: 'other' });

  it('a signature of another root, and none where one of two forms is meant', () => {
    const [one, another] = [Buffer.alloc(48, 6), Buffer.alloc(48, 7)];
    expect(verifySigned(four, signed, { sixteen: one, eight: another })).toMatchObject({ check: 'signature' });
    expect(verifySigned(four, signed, { sixteen: one, eight: root })).toMatchObject({ state: 'verified', root });
  });

  it('the proof of another network, and its key under the own attestation', () => {
    expect(verifySigned(four, other.sign(root, [0, 1, 3]))).toMatchObject({ check: 'attestation' });
    const foreign = Buffer.concat([other.key, other.hints(root, [0, 1, 3]), signed.subarray(2728)]);
    expect(verifySigned(four, foreign)).toMatchObject({ check: 'attestation' });
  });

  it('a mark for a node that the book has not, which the signature does not cover', () => {
    const marked = Buffer.from(signed);
    marked[2728 + 100] = 1;
    expect(verifySigned(four, marked)).toMatchObject({ check: 'encoding', found: 'one at 100' });
    marked[2728 + 100] = 2;
    expect(verifySigned(four, marked)).toMatchObject({ check: 'encoding', found: '2' });
  });

  it('a key for fewer nodes than the book has', () => {
    const pair = createLabNetwork({ weights: [1n, 1n, 1n] });
    const small = Buffer.concat([pair.key, pair.hints(root, [0, 1]), four.attest(pair.key, [0, 1, 2])]);
    expect(verifySigned(four, small)).toMatchObject({ check: 'attestation', found: '4' });
  });

  it('points at infinity everywhere', () => {
    const empty = Buffer.from(signed);
    const zero = (offset: number) => empty.fill(0, offset, offset + 96).fill(0x40, offset, offset + 1);
    for (let place = 0; place < 11; place++) zero(1096 + 320 + 96 * place);
    empty.fill(0, 1096 + 1376, 2728);
    expect(verifySigned(four, empty)).toMatchObject({ check: 'argument' });
    zero(1096);
    expect(verifySigned(four, empty)).toMatchObject({ check: 'signature' });
  });

  it('a good argument for another signature than that of the root', () => {
    const forged = Buffer.from(signed);
    forged.set(bls12_381.G2.Point.BASE.toBytes(false), 1096 + 128);
    expect(verifySigned(four, forged)).toMatchObject({ check: 'signature' });
    // Key and signature of one node alone are a good BLS signature, with an argument for others.
    const [three, alone] = [four.hints(root, [0, 1, 3]), four.hints(root, [2])];
    const mixed = Buffer.concat([
      four.key,
      alone.subarray(0, 96),
      three.subarray(96, 128),
      alone.subarray(128, 320),
      three.subarray(320),
      signed.subarray(2728),
    ]);
    expect(verifySigned(four, mixed)).toMatchObject({ check: 'argument' });
  });

  it('a signature of any other length, the mock signature among them', () => {
    for (const length of [0, 48, 2919, 2921, 3431, 3433]) {
      expect(verifySigned(four, Buffer.alloc(length))).toMatchObject({ check: 'message' });
    }
  });
});

test('bytes of any kind are refused, and never throw', () => {
  const verifier = createProofVerifier({ random: randomBytes });
  const trust = trustOf(four);
  const proof = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .uint8Array({ minLength: 2920, maxLength: 2920 })
      .map((bytes) => Buffer.concat(messageField(2, [bytesField(1, bytes)]))),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.concat(messageField(3, [bytesField(1, bytes)]))),
  );
  fc.assert(
    fc.property(fc.array(proof, { minLength: 1, maxLength: 3 }), (proofs) => {
      const { verdict } = verifier.verify({ number: 0n, roots: { sixteen: root, eight: root }, proofs }, trust);
      // Only an empty message and one with signatures of record files are proofs of another kind.
      expect(verdict.state).not.toBe('verified');
    }),
    { numRuns: 200 },
  );
});
