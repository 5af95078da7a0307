// The proof of the address book behind a signature of ledgers with an id of 64 bytes: a Nova proof, "WRAPS" like the
// one before it. Only the network's own library can check it, for the key that it takes is published nowhere. What
// stands in front of it can be read, and must fit: it says which ledger and which hinTS key the proof is of. The rest
// may be any bytes.
import { proofField } from './bn254-points.ts';
import { createPartReader, isSameBytes, scalarLength, toHex } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

export const novaProofLength = 11368;

export type NovaHeader = {
  /**
   * Of the chain of address books: 1 at its beginning, one more for each rotation of keys or weights. Claimed, not
   * proved.
   */
  steps: bigint;
  /** Hashes of the first address book and of the first hinTS key: 64 bytes, as in the ledger id. */
  first: Uint8Array;
  /**
   * Hashes of the last address book, which is claimed and not proved, and of the hinTS key that signs: 32 bytes each.
   */
  bookHash: Uint8Array;
  keyHash: Uint8Array;
};

/** Throws ProofRefusal. */
export function readNovaHeader(bytes: Uint8Array): NovaHeader {
  const reader = createPartReader(bytes, novaProofLength, 'Nova proof');
  const steps = reader.word();
  if (steps < 1n) refuse('attestation', 'at least 1 step of the Nova proof', `${steps}`);
  const [first, last] = ['first', 'last'].map((name) => {
    reader.count(2n, `elements of the ${name} state`);
    const state = reader.next(2 * scalarLength);
    const check = createPartReader(state, 2 * scalarLength, `${name} state of the Nova proof`);
    check.scalar(proofField.ORDER, 'hash of the book');
    check.scalar(proofField.ORDER, 'hash of the key');
    return state;
  }) as [Uint8Array, Uint8Array];
  if (steps === 1n && !isSameBytes(first, last)) {
    refuse('attestation', `state ${toHex(first)} after the first step of the Nova proof`, toHex(last));
  }
  return { steps, first, bookHash: last.subarray(0, scalarLength), keyHash: last.subarray(scalarLength) };
}
