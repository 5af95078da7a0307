// Checks the network's proofs of consecutive blocks, and follows what the stream says of its ledger. Made of messages,
// so that it can run in a thread: what is trusted stays here, and goes out as it is stored.
// Invariant: a key that a block names, and a ledger id that it publishes, count once a signature covers the block whose
// key was trusted without that block (follow-ledger.ts). So blocks are taken in order, and where the key changes the
// signatures of the key before are looked at first: the new key never proves the block that names it.
import { randomBytes } from 'node:crypto';
import { hashHintsKey } from '../../../packages/proof/hash-hints-key.ts';
import type { Refusal } from '../../../packages/proof/proof-refusal.ts';
import { createProofVerifier } from '../../../packages/proof/verify-block-proof.ts';
import { checkKeys, coverBefore, type ReadBlock } from './check-keys.ts';
import { type AfterBlocks, type BlockToCheck, type CheckedProofs, createFound } from './checked-proofs.ts';
import { createLedgerFollower } from './follow-ledger.ts';
import { readPublications } from './read-publications.ts';
import type { GivenTrust } from './trust-holder.ts';

/** Each is answered by a value or, from another thread, by a promise. */
export type ProofChecker<Answer extends 'value' | 'promise' = 'value' | 'promise'> = {
  [Name in keyof ProofChecks]: (
    ...asked: Parameters<ProofChecks[Name]>
  ) => Answer extends 'promise' ? Promise<ReturnType<ProofChecks[Name]>> : ReturnType<ProofChecks[Name]>;
};

type ProofChecks = {
  /** The refusal of what was given; null = it is trusted from here on. */
  begin(given: GivenTrust): Refusal | null;
  /** From a block that signatures of nodes prove. */
  takeSigned(block: { number: bigint; publications: readonly Uint8Array[] }): AfterBlocks;
  /** Every key is checked, and as many signatures, from the last block on, as it takes to find a good one. */
  check(blocks: readonly BlockToCheck[]): CheckedProofs;
};

export function createProofChecker(): ProofChecker<'value'> {
  const verifier = createProofVerifier({ random: randomBytes });
  const ledger = createLedgerFollower();

  return {
    begin: ledger.begin,
    takeSigned({ number, publications }) {
      const read = readPublications(publications);
      const found = createFound(read.problems);
      try {
        found.handovers.push(...ledger.takeRecords(number, read));
      } catch (error) {
        found.halt = { index: 0, refusal: ledger.refusalOf(error), code: 'networkProof' };
      }
      return { ...found, ...ledger.known() };
    },
    check(asked) {
      const blocks = asked.map(toRead);
      const found = createFound(blocks.flatMap(({ said }) => said.problems));
      const check = { blocks, verifier, ledger, found };
      const covered = checkKeys(check);
      coverBefore(check, found.halt?.index ?? blocks.length, covered);
      return { ...found, ...ledger.known() };
    },
  };
}

function toRead({ publications, namedKeys, ...block }: BlockToCheck): ReadBlock {
  const read = readPublications(publications);
  const publishedIds = read.publications.map(({ ledgerId }) => ledgerId);
  return { block: { ...block, publishedIds }, said: { ...read, keyHashes: namedKeys.map(hashHintsKey) } };
}
