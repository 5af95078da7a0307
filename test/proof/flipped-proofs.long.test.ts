// Proofs of real networks with one bit that differs, or with points that are not theirs: none is verified.
// `run-flips.ts` flips every bit.
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Trust } from '../../packages/proof/trust.ts';
import { type BlockToProve, createProofVerifier } from '../../packages/proof/verify-block-proof.ts';
import { StreamFileError } from '../../packages/protocol/stream-file-error.ts';
import { createRandomIndex, flipBit, regionsOf } from './flips.ts';
import { firstSeen, readRealBlock, realBlocks, toBlockToProve } from './real-block.ts';

// Seconds on a quiet machine.
vi.setConfig({ testTimeout: 300_000 });

// Lets the runner hear of the test before: each computes for long.
beforeEach(() => setImmediate());

const { Point } = bls12_381.G1;
/**
 * Flips in each part of the signature, and in the messages around it: those of a state proof lead to another root,
 * which costs.
 */
const cases: [path: string, perPart: number, ofMessages: number][] = [
  ['consensus-node-0.78/5', 4, 60],
  ['consensus-node-0.78-settled/391', 3, 60],
  ['consensus-node-0.78/1', 1, 30],
  ['consensus-node-0.77/1', 1, 30],
];

function prepare(path: string): { block: BlockToProve; trust: Trust } {
  return { block: toBlockToProve(readRealBlock(path)), trust: firstSeen(path.split('/')[0]!) };
}

describe.skipIf(realBlocks.isAbsent)(`flipped proofs${realBlocks.hint}`, () => {
  it.each(cases)(
    '%s: no proof with a flipped bit in any of its parts is verified',
    async (path, perPart, ofMessages) => {
      const { block, trust } = prepare(path);
      const verifier = createProofVerifier({ random: randomBytes });
      expect(verifier.verify(block, trust).verdict.state).toBe('verified');
      const [content] = block.proofs;
      const random = createRandomIndex(content!.length);
      for (const { name, start, end } of regionsOf(content!)) {
        await setImmediate();
        for (let count = 0; count < (name === 'messages' ? ofMessages : perPart); count++) {
          const bit = start * 8 + random((end - start) * 8);
          const { verdict } = verifier.verify({ ...block, proofs: [flipBit(content!, bit)] }, trust);
          expect([name, bit, verdict.state]).toEqual([name, bit, 'refused']);
        }
      }
    },
  );

  it('no block with a flipped bit is verified', () => {
    const path = 'consensus-node-0.78/3';
    const { trust } = prepare(path);
    const bytes = readRealBlock(path);
    const random = createRandomIndex(3);
    const verifier = createProofVerifier({ random: randomBytes });
    const states = new Map<string, number>();
    for (let count = 0; count < 200; count++) {
      const bit = random(bytes.length * 8);
      const state = verifyBytes(flipBit(bytes, bit));
      expect([bit, state]).not.toEqual([bit, 'verified']);
      states.set(state, (states.get(state) ?? 0) + 1);
    }
    expect([...states.keys()].sort()).toEqual(['not a block', 'refused']);

    function verifyBytes(block: Buffer): string {
      try {
        return verifier.verify(toBlockToProve(block), trust).verdict.state;
      } catch (error) {
        if (error instanceof StreamFileError) return 'not a block';
        throw error;
      }
    }
  });

  it('points that are on the curve and not the ones are refused: negated, zero, another part’s', () => {
    const { block, trust } = prepare('consensus-node-0.78/5');
    const [content] = block.proofs;
    const verifier = createProofVerifier({ random: randomBytes });
    const points = regionsOf(content!).filter(
      ({ name, start, end }) => end - start === 96 && !['g0', 'L', 'W'].includes(name),
    );
    expect(points.length).toBe(12);
    const zero = Buffer.alloc(96);
    zero[0] = 0x40;
    for (const [place, { name, start, end }] of points.entries()) {
      const point = Point.fromBytes(content!.subarray(start, end));
      const other = points[(place + 1) % points.length]!;
      const replacements = {
        negated: point.negate().toBytes(false),
        zero,
        another: content!.subarray(other.start, other.end),
      };
      for (const [how, replacement] of Object.entries(replacements)) {
        const changed = Buffer.from(content!);
        changed.set(replacement, start);
        const { verdict } = verifier.verify({ ...block, proofs: [changed] }, trust);
        expect([name, how, verdict.state]).toEqual([name, how, 'refused']);
      }
    }
  });

  it('parts of two proofs of one network do not make a third', () => {
    const first = prepare('consensus-node-0.78-settled/0');
    const settled = prepare('consensus-node-0.78-settled/391');
    const verifier = createProofVerifier({ random: randomBytes });
    const [early, late] = [first.block.proofs[0]!, settled.block.proofs[0]!];
    // The hinTS signature of the one in the other; the key is the same.
    const at = (content: Uint8Array) => regionsOf(content).find(({ name }) => name === 'aPK')!.start;
    const changed = Buffer.from(late);
    changed.set(early.subarray(at(early), at(early) + 1632), at(late));
    expect(verifier.verify({ ...settled.block, proofs: [changed] }, settled.trust).verdict).toMatchObject({
      state: 'refused',
      check: 'signature',
    });
    for (const proofs of [[late, early], [late, late, late, late, late], [Buffer.alloc(0)], [late.subarray(1)]]) {
      const { verdict } = verifier.verify({ ...settled.block, proofs }, settled.trust);
      expect(verdict).toMatchObject({ state: 'refused', check: 'message' });
    }
    expect(verifier.verify({ ...settled.block, proofs: [late, late] }, settled.trust).verdict.state).toBe('verified');
  });

  it('a block whose items are of another is no block of the proof', () => {
    const { block, trust } = prepare('consensus-node-0.78/5');
    const other = toBlockToProve(readRealBlock('consensus-node-0.78/4'));
    const { verdict } = createProofVerifier({ random: randomBytes }).verify({ ...block, roots: other.roots }, trust);
    expect(verdict).toMatchObject({ state: 'refused', check: 'signature' });
  });
});
