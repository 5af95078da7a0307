// What was found of the proof of a block.
import type { Refusal } from './proof-refusal.ts';
import type { TrustOrigin } from './trust.ts';

/**
 * Why a hinTS key is known to be the network's.
 * schnorr: the first address book has signed it. wraps: a proof leads from the first address book to it. Of ledger ids
 * of 32 bytes. ledgerId: the ledger id ends with its hash. namedKey: a block that a trusted key had signed named it.
 * pinnedKey: the operator named it. Of ledger ids of 64 bytes, whose proof of the address book cannot be checked, so
 * that nothing is said of the book.
 */
export type Attestation = 'schnorr' | 'wraps' | 'ledgerId' | 'namedKey' | 'pinnedKey';

export type Verified = {
  state: 'verified';
  /** signed: the network signed this block. state: a later one, which names it. */
  kind: 'signed' | 'state';
  /** The block whose signature was checked. */
  restsOn: bigint;
  /** Of this block, in the form that counts. */
  root: Uint8Array;
  ledgerId: Uint8Array;
  origin: TrustOrigin;
  weight: bigint;
  totalWeight: bigint;
  attestation: Attestation;
  /** The first block that named the key, which is why it is trusted; null unless it is a `namedKey`. */
  namedBy: bigint | null;
  /**
   * Of keys or weights since the beginning; null before the network has settled, and where nothing proves the number.
   */
  rotations: bigint | null;
  /** Of the key, 32 bytes: hash-hints-key.ts where the ledger id has 64 bytes, else of Poseidon. */
  keyHash: Uint8Array;
  /** Of the address book behind the key, 32 bytes; null where nothing proves it. */
  bookHash: Uint8Array | null;
};

/**
 * More than half of the weight of a hinTS key has signed, and the key is said to be the ledger's, but nothing proves
 * that: the proof of the address book is not checked, and no block that was proved has named the key. Anybody can make
 * such a block. It is no kind of `verified`: a mirror that has followed the chain under trusted keys refuses a block of
 * a key that was never announced; one that begins in the middle may keep it, and says everywhere that it is not proved.
 */
export type KeyUnproved = Omit<Verified, 'state' | 'attestation' | 'namedBy' | 'rotations' | 'bookHash'> & {
  state: 'unproved';
  attestation: 'unproved';
};

export type Verdict =
  | Verified
  | KeyUnproved
  | ({ state: 'refused' } & Refusal)
  /**
   * Nothing says that it is wrong. `reason`: what is missing for a check; `lacksTrust`: it is the ledger id or its
   * publication.
   */
  | { state: 'unchecked'; reason: string; lacksTrust: boolean };

/** Why the key is trusted, or that it is not: words that fit behind "key". */
export function describeAttestation({
  attestation,
  namedBy = null,
  rotations = null,
}: {
  attestation: Attestation | 'unproved';
  namedBy?: bigint | null;
  rotations?: bigint | null;
}): string {
  if (attestation === 'wraps') return `after ${rotations ?? 0n} rotations`;
  if (attestation === 'namedKey') return `named in block ${namedBy}, which was proved`;
  return words[attestation];
}

const words = {
  schnorr: 'of the first address book',
  ledgerId: 'named by the ledger id',
  pinnedKey: 'pinned by the operator',
  unproved: 'unproved: the proof of the address book is not checked',
};
