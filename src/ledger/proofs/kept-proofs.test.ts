import { expect, it } from 'vitest';
import type { FoundProof } from './find-network-proof.ts';
import { createKeptProofs } from './kept-proofs.ts';

const hash = 'ab'.repeat(48);

/** A way of so many steps. */
function proofOf(steps: number): FoundProof {
  const step = { from: 'previous' as const, siblings: [hash, hash, hash, hash], timeLeaf: hash };
  return { path: Array(steps).fill(step), proof: { known: hash }, settledBy: 1n };
}

it('is bounded by the ways that it keeps, and not by their number', () => {
  const proofs = createKeptProofs(1_000_000);
  for (let block = 0; block < 300; block++) proofs.keep(`${block}`, null, proofOf(1));
  expect([proofs.find('0', null), proofs.sizeBytes() < 1_000_000]).toEqual([proofOf(1), true]);
  // 96 characters and what a string has beside them, four times and once a step.
  for (let block = 0; block < 20; block++) proofs.keep(`${block} long`, hash, proofOf(500));
  expect(proofs.sizeBytes()).toBeLessThanOrEqual(1_000_000);
  const found = Array.from({ length: 20 }, (_, block) => proofs.find(`${block} long`, hash) !== null);
  expect([found.filter(Boolean).length, found.at(-1)]).toEqual([2, true]);
  expect([proofs.find('0', null), proofs.find('19 long', null)]).toEqual([null, null]);
});
