// How a unit of the stream was proved: one value for record files and blocks, reports, log and status.
import type { Verified } from '../../proof/verify-block-proof.ts';
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
 * signatures: of nodes, over a record file. signedBlock: of the network, over the block root. stateProof: of a later block.
 * other: of an unknown kind.
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
  network?: Verified | null;
  /** Serialized BlockProof, to be stored; null for record files. */
  bytes: Buffer | null;
};

export type BlockVerification = {
  /** At least one. */
  proofs: UnitProof[];
  /** Node whose copy was used; null if there is only one copy. */
  node: string | null;
  checks: StreamCheck[];
  /** Signature files and copies that failed while others were good. */
  rejected: StreamCheckFailure[];
  /** Parts of the proved file that this version cannot read: their items are incomplete or missing. */
  problems: string[];
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

export function provedByNetwork(network: Verified, bytes: Buffer | null): UnitProof {
  const kind = network.kind === 'signed' ? 'signedBlock' : 'stateProof';
  return { kind, isVerified: true, reason: null, signatures: null, network, bytes };
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
  handedOver: 'which signed record files handed over',
  selfDeclared: 'self-declared: nothing but the stream itself says that it is the one',
};

function describeNetworkProof({ kind, restsOn, ledgerId, origin, weight, totalWeight, rotations }: Verified): string {
  const way = kind === 'signed' ? 'directly' : `through block ${restsOn}`;
  const key = rotations === null ? 'of the first address book' : `after ${rotations} rotations`;
  const ledger = `ledger ${Buffer.from(ledgerId).toString('hex')} (${origins[origin]})`;
  return `threshold signature verified ${way}: weight ${weight} of ${totalWeight}, key ${key}; ${ledger}`;
}

/** One line about one proof. */
export function describeProof({ kind, reason, signatures: found, network }: UnitProof): string {
  if (network) return describeNetworkProof(network);
  if (!found) return `${names[kind]}: not verified (${reason})`;
  const { verified, nodes, present, stake, totalStake, requiredStake } = found;
  return `signatures verified: ${verified} of ${nodes} nodes (${present} present); stake ${stake} of ${totalStake}, needed ${requiredStake}`;
}
