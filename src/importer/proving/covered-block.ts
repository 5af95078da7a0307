// A block with what was found of the network's proofs: its own, or that of a later block that covers it.
import type { KeyUnproved, Verified } from '../../../packages/proof/verify-block-proof.ts';
import type { StreamBlockFile } from '../../../packages/sources/stream-source.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import {
  type BlockVerification,
  coverOf,
  type NetworkCover,
  notVerified,
  provedByNetwork,
} from '../open/block-verification.ts';
import type { BlockToCheck, CheckedProofs } from './checked-proofs.ts';

/** A block whose content and place in the chain were checked. */
export type BlockToCover = {
  block: StreamBlock;
  verification: BlockVerification;
  unpackedBytes: number;
  /** hinTS keys that its state names. */
  namedKeys: readonly Uint8Array[];
  /** null: of a record file. */
  file: StreamBlockFile | null;
};

/** `reason`: what was wrong with its own proof when it was checked. */
export type Entry<Opened> = { opened: Opened; publications: Uint8Array[]; reason: string | null };

/**
 * Consecutive blocks that are covered, each by the next signature.
 * @param last index of the last of them in what was checked
 */
export function coverAll<Opened extends BlockToCover>(
  covered: readonly Entry<Opened>[],
  last: number,
  { verified, reasons }: CheckedProofs,
): Opened[] {
  const first = last + 1 - covered.length;
  let [nearest, verdict] = [first - 1, verified.get(last)!];
  return covered.map(({ opened, reason }, place) => {
    const index = first + place;
    if (index > nearest) [nearest, verdict] = findNearest(verified, index);
    return withCover(opened, verdict, index === nearest, reason ?? reasons.get(index)?.reason);
  });
}

/** Copies: parts of a block would take the whole block along to another thread. */
export function toBlockToCheck({ opened, publications }: Entry<BlockToCover>): BlockToCheck {
  const { blockNumber, hash, rootForms } = opened.block;
  const proofs = opened.verification.proofs.flatMap(({ bytes }) => (bytes ? [new Uint8Array(bytes)] : []));
  const [sixteen, eight] = rootForms ? [rootForms.newer, new Uint8Array(rootForms.older)] : [hash, null];
  const roots = { sixteen: new Uint8Array(sixteen), eight };
  return { number: blockNumber ?? 0n, roots, proofs, publications, namedKeys: opened.namedKeys };
}

function findNearest(verified: CheckedProofs['verified'], index: number): [number, Verified | KeyUnproved] {
  const nearest = Math.min(...[...verified.keys()].filter((one) => one >= index));
  return [nearest, verified.get(nearest)!];
}

function withCover<Opened extends BlockToCover>(
  opened: Opened,
  verdict: Verified | KeyUnproved,
  isOwn: boolean,
  reason = `not checked: block ${verdict.restsOn} covers it`,
): Opened {
  const cover: NetworkCover = { ...coverOf(verdict), kind: isOwn ? verdict.kind : 'chain' };
  const proofs = opened.verification.proofs.map((proof) => {
    const { kind, bytes } = proof;
    if (kind !== 'signedBlock' && kind !== 'stateProof') return proof;
    // Where there are several, all are good, and the verdict is that of the one that proves the block by itself.
    return isOwn ? provedByNetwork(verdict, bytes) : notVerified(kind, reason, bytes);
  });
  return { ...opened, verification: { ...opened.verification, proofs, cover } };
}

/** Not verified, for this reason. */
export function withReason<Opened extends BlockToCover>(opened: Opened, reason: string | undefined): Opened {
  if (reason === undefined) return opened;
  const proofs = opened.verification.proofs.map((proof) =>
    proof.kind === 'signedBlock' || proof.kind === 'stateProof' ? notVerified(proof.kind, reason, proof.bytes) : proof,
  );
  return { ...opened, verification: { ...opened.verification, proofs } };
}
