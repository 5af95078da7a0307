// Blocks of real networks as the verifier takes them, and what their first blocks publish.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Publication, readPublication } from '../../packages/proof/publication.ts';
import { type Trust, takePublication } from '../../packages/proof/trust.ts';
import { type BlockToProve, createProofVerifier, type Verdict } from '../../packages/proof/verify-block-proof.ts';
import { findWireBytes } from '../../packages/protocol/wire-fields.ts';
import { toBlock } from '../../packages/streams/block-stream/block.ts';
import { type BlockStreamItem, itemKinds, splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { openSignedTransaction } from '../../packages/streams/block-stream/signed-transaction.ts';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';

export const realBlocks = findRealData('blocks');
export const realVectors = findRealData('tss');

const publicationType = 77;

/** `path` in `blocks`, e.g. `consensus-node-0.78/5`. */
export function readRealBlock(path: string): Buffer {
  return unpackBlockFile(readFileSync(`${realBlocks.path}/${path}.blk.${path.startsWith('wrapped') ? 'zstd' : 'gz'}`));
}

export function toBlockToProve(block: Buffer): BlockToProve {
  const { number, roots, items } = toBlock(splitBlock(block));
  return { number, roots, proofs: proofsOf(items) };
}

function proofsOf(items: readonly BlockStreamItem[]): Buffer[] {
  return items.filter(({ kind }) => kind === itemKinds.blockProof).map(({ content }) => content);
}

export function findPublication(block: Buffer): Buffer {
  for (const { kind, content } of splitBlock(block)) {
    if (kind !== itemKinds.signedTransaction) continue;
    const { type, bodyBytes } = openSignedTransaction(content);
    if (type === publicationType) return findWireBytes(bodyBytes, publicationType)!;
  }
  throw new Error('the block publishes no ledger id');
}

export function publicationOf(network: string): Publication {
  return readPublication(findPublication(readRealBlock(`${network}/0`)));
}

/** As a network without a pinned ledger id is trusted. */
export function firstSeen(network: string): Trust {
  return takePublication(null, publicationOf(network), 'unverified');
}

/** Without anything known from before. */
export function verifyOnce(block: BlockToProve, trust: Trust | null): Verdict {
  return createProofVerifier({ random: randomBytes }).verify(block, trust).verdict;
}
