// Whether a network has signed: proofs of blocks against a trusted ledger id, and threshold signatures by themselves.
// Pure: no files, no network, no clock.

export type { AddressBook } from './address-book.ts';
export { type BlockProof, readBlockProof } from './block-proof.ts';
export { ProofRefusal } from './proof-refusal.ts';
export { type Publication, readPublication } from './publication.ts';
export {
  pinLedgerId,
  restoreTrust,
  type StoredTrust,
  type Trust,
  takePublication,
  toStoredTrust,
} from './trust.ts';
export { describeAttestation } from './verdict.ts';
export {
  type BlockToProve,
  createProofVerifier,
  type KeyUnproved,
  type ProofVerifier,
  type ProofVerifierOptions,
  type Verdict,
  type Verified,
} from './verify-block-proof.ts';
export { verifyThresholdSignature } from './verify-threshold-signature.ts';
