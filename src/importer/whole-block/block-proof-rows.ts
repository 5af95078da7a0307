// The proofs that came with a block of a block stream, as rows. Those of record files are not kept: they were verified.
import type { TableChanges } from '../../store/write/block-changes.ts';
import type { UnitProof } from '../open/block-verification.ts';

export function blockProofRows(consensusEnd: bigint, proofs: readonly UnitProof[]): TableChanges[] {
  const rows = proofs.flatMap(({ kind, isVerified, reason, bytes }, place) =>
    bytes ? [{ consensus_end: consensusEnd, place, kind, verified: isVerified, reason, proof: bytes }] : [],
  );
  return rows.length > 0 ? [{ block_proof: rows }] : [];
}
