// The proof of a block against what is trusted → a verdict with its reasons. Three statements make a proof: the
// network's key has signed the block's root by more than half of its weight; the ledger's network has made that key;
// the ledger is the trusted one.
import { concatBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { AddressBook } from './address-book.ts';
import { type BlockProof, readBlockProof } from './block-proof.ts';
import { isSameBytes, toHex } from './field-bytes.ts';
import { countSteps, followSiblings } from './follow-siblings.ts';
import { hashHintsKey } from './hash-hints-key.ts';
import type { RandomBytes } from './hints-equations.ts';
import { type HintsKey, hintsKeyLength, readHintsKey, readHintsKeySize } from './hints-key.ts';
import { hintsSignatureLength, mergedSignatureLength, readHintsSignature } from './hints-signature.ts';
import { expectLedgerId, findFirstKeyHash } from './ledger-id.ts';
import { findKey, findSigner } from './named-keys.ts';
import { novaProofLength, readNovaHeader } from './nova-header.ts';
import { poseidonHashBytes } from './poseidon.ts';
import { ProofRefusal, refuse } from './proof-refusal.ts';
import { createRecentValues } from './recent-values.ts';
import { type Trust, takeKeyUse, takeRotation } from './trust.ts';
import type { KeyUnproved, Verdict, Verified } from './verdict.ts';
import { verifyHints } from './verify-hints.ts';
import { schnorrLength, verifySchnorr } from './verify-schnorr.ts';
import { verifyWraps, wrapsLength } from './verify-wraps.ts';
import { readWrapsKey, type WrapsKey } from './wraps-key.ts';

export type { KeyUnproved, Verdict, Verified } from './verdict.ts';

export type BlockToProve = {
  number: bigint;
  /** Both forms of its root, as its items give them. */
  roots: { sixteen: Uint8Array; eight: Uint8Array | null };
  /** Contents of its items that are proofs. */
  proofs: readonly Uint8Array[];
  /** Ledger ids that it publishes: a network's proofs may be of its new id from that very block on. */
  publishedIds?: readonly Uint8Array[];
};

export type ProofVerifier = {
  /** `trust` as it is after a verified block; null: no ledger id is known. */
  verify(block: BlockToProve, trust: Trust | null): { verdict: Verdict; trust: Trust | null };
  /**
   * How the keys of its proofs stand, without a look at the signature; null without a proof that this can be said of.
   * Throws ProofRefusal if a key is not the trusted ledger's, or one that another has taken over from.
   */
  attest(block: BlockToProve, trust: Trust): KeyStanding | null;
};

/**
 * known: the key that signs at this block is trusted, as far as that was seen. news: another trusted key signs from
 * here on, which counts as soon as the signature is verified. unproved: nothing proves the key, or not yet: a block
 * before this one may name it.
 */
export type KeyStanding = 'known' | 'news' | 'unproved';

export type ProofVerifierOptions = {
  /** Of the system: no maker of proofs can know them beforehand. */
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
  const attestations = createRecentValues<AttestedKey>(maxResults);
  const signatures = createRecentValues<SignedRoot>(maxResults);
  /** Which form of the root the last direct signature was of. */
  let isEight = false;

  /** Who vouches for the key. Throws ProofRefusal. */
  function attestKey(parts: SignatureParts, { ledgerId, book, wrapsKey }: Trust): AttestedKey {
    const { kind, key, third } = parts;
    const name = digest(ledgerId, kind === 'wraps' ? wrapsKey! : noKey, key, third);
    const known = attestations.find(name);
    if (known) return known;
    const statement = { ledgerId, keyHash: poseidonHashBytes(key) };
    if (kind === 'schnorr') {
      checkSize(key, book!);
      verifySchnorr(book!, statement, third);
      return attestations.keep(name, { ...statement, ...unsettled, bookHash: ledgerId });
    }
    const wrapsName = digest(wrapsKey!);
    const decoded = wrapsKeys.find(wrapsName) ?? wrapsKeys.keep(wrapsName, readWrapsKey(wrapsKey!));
    const { steps, bookHash } = verifyWraps(decoded, statement, third);
    return attestations.keep(name, { ...statement, ...settled, steps, rotations: steps - firstSteps, bookHash });
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
    const parts = splitSignature(proof.signature);
    const lack = findLack(parts, trust);
    if (lack !== null) return { verdict: { state: 'unchecked', reason: lack, lacksTrust: true }, trust };
    const { sixteen, eight } = block.roots;
    const roots = eight ? (isEight ? [eight, sixteen] : [sixteen, eight]) : [sixteen];
    const way = proof.kind === 'state' ? followProof(proof, roots) : null;
    const key = parts.kind === 'nova' ? attestByTrust(parts, trust, block) : attestKey(parts, trust);
    const { root: signedRoot, ...weights } = findSigned(parts.key, parts.hints, way ? [way.signedRoot] : roots);
    if (!way) isEight = eight !== null && isSameBytes(signedRoot, eight);
    const restsOn = restsOnOf(block, proof);
    const shown = { kind: proof.kind, restsOn, root: way?.root ?? signedRoot, origin: trust.origin, ...weights };
    if (key.attestation === 'unproved') return { verdict: { ...shown, ...key, state: 'unproved' }, trust };
    const { steps, ...attested } = key;
    return {
      verdict: { ...shown, ...attested, state: 'verified' },
      trust: steps === null ? takeKeyUse(trust, key.keyHash, restsOn) : takeRotation(trust, steps, restsOn),
    };
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
      let standing: KeyStanding | null = null;
      for (const proof of readProofs(block)) {
        const parts = splitSignature(proof.signature);
        if (findLack(parts, trust) !== null) continue;
        const key = parts.kind === 'nova' ? attestByTrust(parts, trust, block) : attestKey(parts, trust);
        const one = standingOf(key, trust, restsOnOf(block, proof));
        if (standing === null || one === 'unproved' || standing === 'known') standing = one;
      }
      return standing;
    },
  };
}

/** Throws ProofRefusal. */
function standingOf(key: AttestedKey | UnprovedKey, trust: Trust, restsOn: bigint): KeyStanding {
  if (key.attestation === 'unproved') return 'unproved';
  if (key.steps === null) {
    takeKeyUse(trust, key.keyHash, restsOn);
    const signer = findSigner(trust.keys, restsOn)?.key;
    return signer && isSameBytes(signer.keyHash, key.keyHash) ? 'known' : 'news';
  }
  takeRotation(trust, key.steps, restsOn);
  return key.steps === trust.rotation?.steps ? 'known' : 'news';
}

/** `steps`: of a WRAPS proof, 0 before there is one; null where none was checked. */
type AttestedKey = Pick<Verified, 'ledgerId' | 'attestation' | 'namedBy' | 'rotations' | 'keyHash' | 'bookHash'> & {
  steps: bigint | null;
};
type UnprovedKey = Pick<KeyUnproved, 'ledgerId' | 'attestation' | 'keyHash'>;

const unsettled = { attestation: 'schnorr', steps: 0n, rotations: null, namedBy: null } as const;
const settled = { attestation: 'wraps', namedBy: null } as const;

const attestationBySource = { ledgerId: 'ledgerId', signedBlock: 'namedKey', pinned: 'pinnedKey' } as const;

/**
 * Of a ledger id of 64 bytes: the Nova proof must be said to be of this ledger and of this key, and the key must be
 * trusted by itself. Of a trusted key the proof may also be of a former ledger id, or of the one that the block
 * publishes.
 */
function attestByTrust(
  { key, third }: SignatureParts,
  { ledgerId, formerIds, keys }: Trust,
  { publishedIds = [] }: BlockToProve,
): AttestedKey | UnprovedKey {
  const header = readNovaHeader(third);
  const keyHash = hashHintsKey(key);
  if (!isSameBytes(header.keyHash, keyHash)) {
    refuse('attestation', `a Nova proof of hinTS key ${toHex(keyHash)}`, `one of ${toHex(header.keyHash)}`);
  }
  const trusted = findKey(keys, keyHash);
  const isOther = trusted && [...formerIds, ...publishedIds].some((id) => isSameBytes(id, header.first));
  if (!isOther) expectLedgerId(header.first, ledgerId, 'a Nova proof');
  if (!trusted) return { ledgerId, attestation: 'unproved', keyHash };
  // The header's number of steps and its last book are claims; and the first key may sign again later.
  return {
    ledgerId,
    attestation: attestationBySource[trusted.source],
    namedBy: trusted.source === 'signedBlock' ? trusted.block : null,
    rotations: null,
    keyHash,
    bookHash: null,
    steps: null,
  };
}

type SignedRoot = Pick<Verified, 'root' | 'weight' | 'totalWeight'>;
type NetworkProof = Exclude<BlockProof, { kind: 'records' }>;

/** Of the WRAPS proof that settles a network. */
const firstSteps = 2n;
const noKey = new Uint8Array();

const noneOfNetwork = 'no proof of the network (signatures of nodes are verified by an address book)';
const noLedgerId = 'no ledger id is known: none was given (--ledger-id), and none is known to be published before';

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

type SignatureParts = { kind: 'schnorr' | 'wraps' | 'nova'; key: Uint8Array; hints: Uint8Array; third: Uint8Array };

/** The parts of a block signature by its length: behind the hinTS key its signature, and the proof of the key. */
const layouts: readonly { kind: SignatureParts['kind']; hints: number; third: number }[] = [
  { kind: 'schnorr', hints: hintsSignatureLength, third: schnorrLength },
  { kind: 'wraps', hints: hintsSignatureLength, third: wrapsLength },
  { kind: 'nova', hints: mergedSignatureLength, third: novaProofLength },
];
const lengthOf = ({ hints, third }: (typeof layouts)[number]) => hintsKeyLength + hints + third;

/** Of other versions of the network's library: a merged quotient before the Nova proofs, and the first of those. */
const otherGenerations: readonly number[] = [
  hintsKeyLength + mergedSignatureLength + schnorrLength,
  hintsKeyLength + mergedSignatureLength + wrapsLength,
  hintsKeyLength + hintsSignatureLength + novaProofLength,
  hintsKeyLength + hintsSignatureLength + 128,
];

/** Throws ProofRefusal for a length of no known kind. */
function splitSignature(signature: Uint8Array): SignatureParts {
  const { length } = signature;
  const layout = layouts.find((one) => lengthOf(one) === length);
  if (!layout) {
    const isOther = otherGenerations.includes(length);
    return refuse(
      isOther ? 'generation' : 'message',
      `a block signature of ${layouts.map(lengthOf).join(', ')} bytes`,
      isOther ? `${length}, made by another version of the library` : `${length}`,
    );
  }
  const end = hintsKeyLength + layout.hints;
  return {
    kind: layout.kind,
    key: signature.subarray(0, hintsKeyLength),
    hints: signature.subarray(hintsKeyLength, end),
    third: signature.subarray(end),
  };
}

/**
 * What is not known yet to check such a signature; null: all is there. Throws ProofRefusal for one of no such ledger.
 */
function findLack({ kind }: SignatureParts, { ledgerId, book, wrapsKey }: Trust): string | null {
  if (kind === 'nova') return null;
  if (findFirstKeyHash(ledgerId)) {
    refuse('generation', `a signature with a Nova proof, as of ledger id ${toHex(ledgerId)}`, `one with ${kind}`);
  }
  if (kind === 'schnorr') return book ? null : noBook;
  if (wrapsKey) return null;
  if (book) refuse('wrapsKey', 'a publication with the WRAPS key of the ceremony, or a trusted one', 'another');
  return noWrapsKey;
}

/** The block whose signature it is. */
function restsOnOf({ number }: BlockToProve, proof: NetworkProof): bigint {
  return proof.kind === 'signed' ? number : number + countSteps(proof.siblings);
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
  return { root, signedRoot: followSiblings(root, proof.siblings, proof.timestamp).root };
}

/** Of parts whose lengths are fixed, the last one's apart. */
function digest(...parts: Uint8Array[]): string {
  return toHex(sha256(concatBytes(...parts)));
}
