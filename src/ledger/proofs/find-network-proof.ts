// The signature of the network that covers a block, with what leads to it and what it is checked with.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { readBlockProof } from '../../../packages/proof/block-proof.ts';
import { hintsKeyLength } from '../../../packages/proof/hints-key.ts';
import { mergedSignatureLength } from '../../../packages/proof/hints-signature.ts';
import { novaProofLength } from '../../../packages/proof/nova-header.ts';
import { readPublishedNodes } from '../../../packages/proof/publication.ts';
import { type LedgerTrust, selectLedgerTrust } from '../../../packages/store/read/select-ledger-trust.ts';
import {
  type CoveredUnit,
  selectNextSigned,
  selectUnitsNamed,
  selectVerifiedProofs,
} from '../../../packages/store/read/select-proof-parts.ts';
import { hashLeaf } from '../../../packages/streams/block-stream/hash-tree.ts';
import { findPath } from './find-path.ts';
import type { BlockDocument, NetworkProof, Step } from './proof-document.ts';
import { ProofUnavailable } from './proof-unavailable.ts';

/** Without what names the key of the signature: `namings` of its proof are empty. */
export type FoundProof = Pick<BlockDocument, 'path' | 'proof'> & {
  /** Consensus end of the last block that it is made of. */
  settledBy: bigint;
};

/** @param known hex of a root that the client has proved. Throws ProofUnavailable. */
export async function findNetworkProof(db: Database, unit: CoveredUnit, known: string | null): Promise<FoundProof> {
  const way = known === null ? null : await findWayToKnown(db, unit, known);
  if (way) return way;
  const signed = unit.coverKind === null ? null : await selectNextSigned(db, unit.consensusEnd);
  if (!signed) {
    throw new ProofUnavailable(`No signature of the network is known yet that covers block ${unit.number}`);
  }
  const [[own], trust] = await Promise.all([selectVerifiedProofs(db, signed.consensusEnd), selectLedgerTrust(db)]);
  if (!own || !trust) throw new ProofUnavailable(`The proof of block ${signed.number} is not stored`);
  const [path, ending] = [await findPath(db, unit, signed), readOwnProof(own.proof)];
  if (!path) {
    throw new ProofUnavailable(
      `What leads from block ${unit.number} to block ${signed.number}, which the network has signed, is not stored here`,
    );
  }
  return {
    path: [...path, ...ending.path],
    proof: toNetworkProof(ending.signature, trust),
    settledBy: signed.consensusEnd,
  };
}

/** null: the root is none of a block from this one on, or no path leads there. */
async function findWayToKnown(db: Database, unit: CoveredUnit, known: string): Promise<FoundProof | null> {
  const [found, other] = await selectUnitsNamed(db, { hashPrefix: known });
  if (!found || other || found.number < unit.number) return null;
  const path = await findPath(db, unit, found);
  return path && { path, proof: { known }, settledBy: found.consensusEnd };
}

/** A state proof says itself what leads to the signed block. */
function readOwnProof(content: Buffer): { path: Step[]; signature: Uint8Array } {
  const proof = readBlockProof(content);
  if (proof.kind === 'records') throw new ProofUnavailable('The block has no proof by the network');
  if (proof.kind === 'signed') return { path: [], signature: proof.signature };
  const { siblings, timestamp, signature } = proof;
  const path: Step[] = [];
  // Five of each block: four of its tree, of which the last may be none, and the next one's leaf of the timestamp.
  for (let at = 0; at < siblings.length; at += siblingsOfStep) {
    const hashes = siblings.slice(at, at + siblingsOfStep - 1).flatMap(({ hash }) => (hash ? [hex(hash)] : []));
    const time = siblings[at + siblingsOfStep - 1]?.hash ?? hashLeaf(timestamp);
    path.push({ from: 'previous', siblings: hashes, timeLeaf: hex(time) });
  }
  return { path, signature };
}

const siblingsOfStep = 5;

/** Bytes of a signature of a network that has settled, and whose key a WRAPS proof vouches for. */
const settledLength = 3432;

/** And of one under a ledger id of 64 bytes: hinTS key and signature, and the proof of the key. */
const shownLength = hintsKeyLength + mergedSignatureLength;
const laterLength = shownLength + novaProofLength;

function toNetworkProof(bytes: Uint8Array, { publication, wrapsKey }: LedgerTrust): NetworkProof {
  if (bytes.length === laterLength) return { signature: hex(bytes.subarray(0, shownLength)), namings: [] };
  const signature = hex(bytes);
  if (bytes.length === settledLength) {
    if (wrapsKey) return { signature, wrapsKey: hex(wrapsKey) };
  } else if (publication) return { signature, book: toBook(publication) };
  throw new ProofUnavailable(
    'The publication of the ledger id is not stored, without which no signature can be checked',
  );
}

/** The proof that the secret of each key is known is left out: the ledger id covers the key. */
function toBook(publication: Uint8Array) {
  return readPublishedNodes(publication).map(({ nodeId, weight, key }) => ({
    nodeId: `${nodeId}`,
    weight: `${weight}`,
    key: hex(key.subarray(0, publicKeyLength)),
  }));
}

const publicKeyLength = 64;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
