// How a unit of the stream was proved: one value for record files and blocks, reports, log and status.
import { formatLedgerId } from '../../../packages/kit/format-ledger-id.ts';
import { type Attestation, describeAttestation } from '../../../packages/proof/verdict.ts';
import type { KeyUnproved, Verified } from '../../../packages/proof/verify-block-proof.ts';
import type { Doubt } from '../../../packages/streams/stream/doubt.ts';
import type { Signers } from './signers.ts';
import type { StreamCheck, StreamCheckFailure } from './stream-check-error.ts';

type SignatureCount = {
  /** Nodes whose signature is valid, signatures that are there, nodes in the address book. */
  verified: number;
  present: number;
  nodes: number;
  /** Stake behind the file, what it needs, and what there is. */
  stake: bigint;
  requiredStake: bigint;
  totalStake: bigint;
};

/**
 * signatures: of nodes, over a record file. signedBlock: of the network, over the block root. stateProof: of a later
 * block. other: of an unknown kind.
 */
export type ProofKind = 'signatures' | 'signedBlock' | 'stateProof' | 'other';

export type UnitProof = {
  kind: ProofKind;
  /** false: it was not checked, and `reason` says why. A wrong proof is a StreamCheckError. */
  isVerified: boolean;
  reason: string | null;
  /** Only for verified signatures of nodes. */
  signatures: SignatureCount | null;
  /** Only for a verified signature of the network, of this block or of a later one. */
  network?: Verified | KeyUnproved | null;
  /** Serialized BlockProof, to be stored; null for record files. */
  bytes: Buffer | null;
};

/**
 * Whose signature covers a block of a block stream: over its own root (signed), or over that of a later block, to which
 * its proof (state) or the chain of roots (chain) leads.
 */
export type NetworkCover = Pick<
  Verified,
  'restsOn' | 'weight' | 'totalWeight' | 'rotations' | 'ledgerId' | 'origin' | 'namedBy' | 'keyHash'
> & {
  kind: Verified['kind'] | 'chain';
  /** Why the key is trusted. unproved: nothing vouches for it, so that anybody could have made the signature. */
  attestation: Attestation | 'unproved';
};

export type BlockVerification = {
  /** At least one. */
  proofs: UnitProof[];
  /** Node whose copy was used; null if there is only one copy. */
  node: string | null;
  checks: StreamCheck[];
  /** Only of a block of a block stream that the network's signature is known to cover. */
  cover?: NetworkCover | null;
  /** Signature files and copies that failed while others were good. */
  rejected: StreamCheckFailure[];
  /** Parts of the proved file that this version cannot read: their items are incomplete or missing. */
  problems: string[];
  /** What of the content is not shown, or shown in part. */
  doubts: Doubt[];
};

export function provedBySignatures(
  counted: { verified: number; present: number },
  stake: bigint,
  signers: Signers,
): UnitProof {
  const { verified, present } = counted;
  const { count: nodes, requiredStake, totalStake } = signers;
  const signatures = { verified, present, nodes, stake, requiredStake, totalStake };
  return { kind: 'signatures', isVerified: true, reason: null, signatures, bytes: null };
}

export function provedByNetwork(network: Verified | KeyUnproved, bytes: Buffer | null): UnitProof {
  const kind = network.kind === 'signed' ? 'signedBlock' : 'stateProof';
  const isVerified = network.state === 'verified';
  return { kind, isVerified, reason: isVerified ? null : notProved, signatures: null, network, bytes };
}

/** The words for it everywhere. */
const notProved = 'its key is not proved: the proof of the address book is not checked';

export function coverOf(verdict: Verified | KeyUnproved): NetworkCover {
  const { kind, restsOn, weight, totalWeight, ledgerId, origin, attestation, keyHash } = verdict;
  const { rotations, namedBy } = verdict.state === 'verified' ? verdict : { rotations: null, namedBy: null };
  return { kind, restsOn, weight, totalWeight, rotations, ledgerId, origin, attestation, namedBy, keyHash };
}

export function signaturesNotChecked(): UnitProof {
  return notVerified('signatures', 'no address book was given');
}

export function notVerified(kind: ProofKind, reason: string, bytes: Buffer | null = null): UnitProof {
  return { kind, isVerified: false, reason, signatures: null, bytes };
}

const names: Record<ProofKind, string> = {
  signatures: 'signatures of nodes',
  signedBlock: 'signed block',
  stateProof: 'state proof',
  other: 'another proof',
};

const origins: Record<Verified['origin'], string> = {
  pinned: 'which was given',
  handedOver: 'which signed record files or blocks handed over',
  selfDeclared: 'self-declared: nothing but the stream itself says that it is the one',
  export: 'from the export that the database was filled from',
};

/** Why a ledger is trusted. */
export const describeOrigin = (origin: Verified['origin']): string => origins[origin];

/** A ledger that is trusted, and why. */
export function describeLedger({ ledgerId, origin }: Pick<Verified, 'ledgerId' | 'origin'>): string {
  return `ledger ${formatLedgerId(ledgerId)} (${origins[origin]})`;
}

/** In one line. */
export function describeCover(cover: NetworkCover): string {
  const { kind, restsOn, weight, totalWeight, ...ledger } = cover;
  const way = kind === 'signed' ? 'directly' : `through block ${restsOn}`;
  return `threshold signature verified ${way}: weight ${weight} of ${totalWeight}, key ${describeAttestation(cover)}; ${describeLedger(ledger)}`;
}

/** Which key signs, and why it is trusted; the same as long as it is that key. */
export function describeKey({ attestation, namedBy, rotations, keyHash }: NetworkCover): string {
  if (attestation === 'schnorr' || attestation === 'wraps') return describeAttestation({ attestation, rotations });
  return `${Buffer.from(keyHash).toString('hex', 0, 6)}…, ${describeAttestation({ attestation, namedBy })}`;
}

/** By the network, or by signatures of nodes. */
export function isProved({ cover, proofs }: Pick<BlockVerification, 'cover' | 'proofs'>): boolean {
  if (cover) return cover.attestation !== 'unproved';
  return proofs.length > 0 && proofs.every(({ isVerified }) => isVerified);
}

/** A signature of the network covers it, by a key that nothing vouches for. */
export function isKeyUnproved({ cover }: Pick<BlockVerification, 'cover'>): boolean {
  return cover?.attestation === 'unproved';
}

/** One line about one proof. */
export function describeProof({ kind, reason, signatures: found, network }: UnitProof): string {
  if (network) return describeCover(coverOf(network));
  if (!found) return `${names[kind]}: not verified (${reason})`;
  const { verified, nodes, present, stake, totalStake, requiredStake } = found;
  return `RSA signatures verified: ${verified} of ${nodes} nodes (${present} present); stake ${stake} of ${totalStake}, needed ${requiredStake}`;
}
