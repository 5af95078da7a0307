// The proof of a block against what is trusted → a verdict with its reasons. Three statements make a proof: the network's key has
// signed the block's root by more than half of its weight; the ledger's network has made that key; the ledger is the trusted one.
import { concatBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { AddressBook } from './address-book.ts';
import { type BlockProof, readBlockProof } from './block-proof.ts';
import { isSameBytes, toHex } from './field-bytes.ts';
import { followSiblings } from './follow-siblings.ts';
import { type HintsKey, hintsKeyLength, readHintsKey, readHintsKeySize } from './hints-key.ts';
import { hintsSignatureLength, readHintsSignature } from './hints-signature.ts';
import { poseidonHashBytes } from './poseidon.ts';
import { ProofRefusal, type Refusal, refuse } from './proof-refusal.ts';
import { createRecentValues } from './recent-values.ts';
import { type Trust, type TrustOrigin, takeRotation } from './trust.ts';
import { type RandomBytes, verifyHints } from './verify-hints.ts';
import { schnorrLength, verifySchnorr } from './verify-schnorr.ts';
import { verifyWraps, wrapsLength } from './verify-wraps.ts';
import { readWrapsKey, type WrapsKey } from './wraps-key.ts';

export type BlockToProve = {
  number: bigint;
  /** Both forms of its root, as its items give them. */
  roots: { sixteen: Uint8Array; eight: Uint8Array | null };
  /** Contents of its items that are proofs. */
  proofs: readonly Uint8Array[];
};

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
  /** How the network vouches for its key: before it has settled by its first address book, then by a chain of books. */
  attestation: 'schnorr' | 'wraps';
  /** Of keys or weights since the beginning; null before the network has settled. */
  rotations: bigint | null;
  /** Poseidon hashes of the key and of the address book behind it, 32 bytes. */
  keyHash: Uint8Array;
  bookHash: Uint8Array;
};

export type Verdict =
  | Verified
  | ({ state: 'refused' } & Refusal)
  /** Nothing says that it is wrong. `reason`: what is missing for a check; `lacksTrust`: it is the ledger id or its publication. */
  | { state: 'unchecked'; reason: string; lacksTrust: boolean };

export type ProofVerifier = {
  /** `trust` as it is after a verified block; null: no ledger id is known. */
  verify(block: BlockToProve, trust: Trust | null): { verdict: Verdict; trust: Trust | null };
  /**
   * Whose key its proofs are made with, without a look at the signature: steps of the rotation; null without a proof that this
   * can be said of. Throws ProofRefusal if the key is not the trusted ledger's, or older than that of an earlier block.
   */
  attest(block: BlockToProve, trust: Trust): bigint | null;
};

export type ProofVerifierOptions = {
  /** Of the system: nobody who makes proofs can know them beforehand. */
  random: RandomBytes;
  /** Decoded keys of the day; each takes some 200 kB. */
  maxKeys?: number;
  /** Keys known to be the network's, and signed roots: an indirect proof is repeated in each block that needs it. */
  maxResults?: number;
};

/** Keeps decoded keys and good results, so that a block costs one product of pairings. */
export function createProofVerifier({ random, maxKeys = 4, maxResults = 64 }: ProofVerifierOptions): ProofVerifier {
  const keys = createRecentValues<HintsKey>(maxKeys);
  const wrapsKeys = createRecentValues<WrapsKey>(1);
  const attestations = createRecentValues<Attestation>(maxResults);
  const signatures = createRecentValues<SignedRoot>(maxResults);
  /** Which form of the root the last direct signature was of. */
  let isEight = false;

  /** Who vouches for the key. Throws ProofRefusal. */
  function attestKey(key: Uint8Array, third: Uint8Array, { ledgerId, book, wrapsKey }: Trust): Attestation {
    const isWraps = third.length === wrapsLength;
    const name = digest(ledgerId, isWraps ? wrapsKey! : noKey, key, third);
    const known = attestations.find(name);
    if (known) return known;
    const statement = { ledgerId, keyHash: poseidonHashBytes(key) };
    if (!isWraps) {
      checkSize(key, book!);
      verifySchnorr(book!, statement, third);
      return attestations.keep(name, { ...statement, attestation: 'schnorr', steps: 0n, bookHash: ledgerId });
    }
    const wrapsName = digest(wrapsKey!);
    const decoded = wrapsKeys.find(wrapsName) ?? wrapsKeys.keep(wrapsName, readWrapsKey(wrapsKey!));
    return attestations.keep(name, { ...statement, attestation: 'wraps', ...verifyWraps(decoded, statement, third) });
  }

  /** Which of the roots is signed, and by which weight. Throws ProofRefusal. */
  function findSigned(key: Uint8Array, signature: Uint8Array, roots: readonly Uint8Array[]): SignedRoot {
    const nameOf = (root: Uint8Array) => digest(root, key, signature);
    for (const root of roots) {
      const known = signatures.find(nameOf(root));
      if (known) return known;
    }
    const keyName = digest(key);
    const decoded = keys.find(keyName) ?? keys.keep(keyName, readHintsKey(key));
    const proof = readHintsSignature(signature);
    const root = verifyHints(decoded, proof, roots, random);
    return signatures.keep(nameOf(root), { root, weight: proof.weight, totalWeight: decoded.totalWeight });
  }

  function verifyProof(block: BlockToProve, proof: NetworkProof, trust: Trust): { verdict: Verdict; trust: Trust } {
    const lack = findLack(proof.signature, trust);
    if (lack !== null) return { verdict: { state: 'unchecked', reason: lack, lacksTrust: true }, trust };
    const { sixteen, eight } = block.roots;
    const roots = eight ? (isEight ? [eight, sixteen] : [sixteen, eight]) : [sixteen];
    const way = proof.kind === 'state' ? followProof(proof, roots) : null;
    const { key, hints, third } = splitSignature(proof.signature);
    const { steps, ...attested } = attestKey(key, third, trust);
    const { root: signedRoot, ...weights } = findSigned(key, hints, way ? [way.signedRoot] : roots);
    if (!way) isEight = eight !== null && isSameBytes(signedRoot, eight);
    const { origin } = trust;
    const verdict: Verified = {
      state: 'verified',
      kind: proof.kind,
      restsOn: block.number + (way?.steps ?? 0n),
      root: way?.root ?? signedRoot,
      origin,
      ...weights,
      rotations: attested.attestation === 'wraps' ? steps - firstSteps : null,
      ...attested,
    };
    return { verdict, trust: takeRotation(trust, steps, verdict.restsOn) };
  }

  return {
    verify(block, trust) {
      if (trust === null) return { verdict: { state: 'unchecked', reason: noLedgerId, lacksTrust: true }, trust };
      try {
        const proofs = readProofs(block);
        if (proofs.length === 0)
          return { verdict: { state: 'unchecked', reason: noneOfNetwork, lacksTrust: false }, trust };
        // All must be good; the verdict is that of the one that proves the block directly.
        let [verdict, after]: [Verdict | null, Trust] = [null, trust];
        for (const proof of proofs) {
          const checked = verifyProof(block, proof, after);
          if (checked.verdict.state !== 'verified') return { ...checked, trust };
          after = checked.trust;
          if (verdict === null || proof.kind === 'signed') verdict = checked.verdict;
        }
        return { verdict: verdict!, trust: after };
      } catch (error) {
        if (!(error instanceof ProofRefusal)) throw error;
        return { verdict: { state: 'refused', ...error.refusal }, trust };
      }
    },
    attest(block, trust) {
      let newest: bigint | null = null;
      for (const { signature } of readProofs(block)) {
        if (findLack(signature, trust) !== null) continue;
        const { key, third } = splitSignature(signature);
        const { steps } = attestKey(key, third, trust);
        takeRotation(trust, steps, block.number);
        if (newest === null || steps > newest) newest = steps;
      }
      return newest;
    },
  };
}

type Attestation = Pick<Verified, 'ledgerId' | 'attestation' | 'keyHash' | 'bookHash'> & { steps: bigint };
type SignedRoot = Pick<Verified, 'root' | 'weight' | 'totalWeight'>;
type NetworkProof = Exclude<BlockProof, { kind: 'records' }>;

/** Of the WRAPS proof that settles a network. */
const firstSteps = 2n;
const noKey = new Uint8Array();

const noneOfNetwork = 'no proof of the network (signatures of nodes are verified by an address book)';
const noLedgerId = 'no ledger id is known: none was given (--ledger-id), and none was published before';

/** Blocks have one proof; a block around a record file may get a second kind. */
const maxProofs = 4;

/** Without the signatures of record files. Throws ProofRefusal. */
function readProofs({ number, proofs }: BlockToProve): NetworkProof[] {
  if (proofs.length > maxProofs) refuse('message', `at most ${maxProofs} proofs`, `${proofs.length}`);
  const read = proofs.map(readBlockProof);
  for (const { block } of read) {
    if (block !== number) refuse('message', `a proof of block ${number}`, `one of block ${block}`);
  }
  return read.filter((proof) => proof.kind !== 'records');
}

const baseLength = hintsKeyLength + hintsSignatureLength;

/** What is not known yet to check such a signature; null: all is there. Throws ProofRefusal for a signature of no known kind. */
function findLack({ length }: Uint8Array, { book, wrapsKey }: Trust): string | null {
  if (length === baseLength + schnorrLength) return book ? null : noBook;
  if (length !== baseLength + wrapsLength) {
    refuse(
      'message',
      `a block signature of ${baseLength + schnorrLength} or ${baseLength + wrapsLength} bytes`,
      `${length}`,
    );
  }
  if (wrapsKey) return null;
  if (book) refuse('wrapsKey', 'a publication with the WRAPS key of the ceremony, or a trusted one', 'another');
  return noWrapsKey;
}

function splitSignature(signature: Uint8Array) {
  return {
    key: signature.subarray(0, hintsKeyLength),
    hints: signature.subarray(hintsKeyLength, baseLength),
    third: signature.subarray(baseLength),
  };
}

/** One place of the domain is of no node. Throws ProofRefusal. */
function checkSize(key: Uint8Array, { entries }: AddressBook): void {
  const size = readHintsKeySize(key);
  if (size > BigInt(entries.length)) return;
  refuse('attestation', `a hinTS key for more than the ${entries.length} nodes of the address book`, `${size}`);
}

const noBook = 'the first address book of the ledger is not known: its publication was not found';
const noWrapsKey = 'the WRAPS key of the ledger is not known: its publication was not found';

function followProof(proof: Extract<BlockProof, { kind: 'state' }>, roots: readonly Uint8Array[]) {
  const root = roots.find((one) => isSameBytes(one, proof.root));
  if (!root) {
    return refuse('statePath', `a path from ${roots.map(toHex).join(' or ')}`, toHex(proof.root));
  }
  const { root: signedRoot, steps } = followSiblings(root, proof.siblings, proof.timestamp);
  return { root, signedRoot, steps };
}

/** Of parts whose lengths are fixed, the last one's apart. */
function digest(...parts: Uint8Array[]): string {
  return toHex(sha256(concatBytes(...parts)));
}
