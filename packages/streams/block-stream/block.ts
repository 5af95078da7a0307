// A block parsed as far as its own layout goes: header, footer, proofs, the roots of its bytes. Nothing is trusted or
// checked against anything outside of it here.
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import { sha384Length } from '../../protocol/sha384.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { findWireVarint } from '../../protocol/wire-fields.ts';
import type { SemanticVersion } from '../stream/stream-block.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { blockMessages } from './block-messages.ts';
import { type BlockRoots, computeBlockRoots } from './block-root.ts';

export type Block = {
  number: bigint;
  hapiVersion: SemanticVersion;
  softwareVersion: SemanticVersion | null;
  /** ns. */
  timestamp: bigint;
  footer: BlockMessages['BlockFooter'];
  /** A later block may prove one that has none. */
  proofs: BlockMessages['BlockProof'][];
  roots: BlockRoots;
  items: BlockStreamItem[];
};

/** Throws StreamFileError. */
export function toBlock(items: BlockStreamItem[]): Block {
  const header = blockMessages.header.decode(only(items, itemKinds.blockHeader, 'header').content);
  const { hashAlgorithm } = header;
  if (hashAlgorithm !== sha384Digest) {
    throw new StreamFileError(
      'unsupported',
      `digest ${hashAlgorithm} is not supported`,
      'SHA-384 (0)',
      `${hashAlgorithm}`,
    );
  }
  const footer = blockMessages.footer.decode(only(items, itemKinds.blockFooter, 'footer').content);
  const proofs = items.filter(({ kind }) => kind === itemKinds.blockProof);
  if (items[0]?.kind !== itemKinds.blockHeader) {
    throw new StreamFileError('malformed', 'first block item', 'the block header', `kind ${items[0]?.kind}`);
  }
  const { previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash } = footer;
  for (const hash of [previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash]) {
    if (hash.length === sha384Length) continue;
    throw new StreamFileError('malformed', 'hash of the block footer', `${sha384Length} bytes`, `${hash.length} bytes`);
  }
  const number = toBigInt(header.number);
  const decodedProofs = proofs.map(({ content }) => blockMessages.proof.decode(content));
  for (const { block } of decodedProofs) {
    if (toBigInt(block) === number) continue;
    throw new StreamFileError('malformed', 'block proof', `one of block ${number}`, `one of block ${toBigInt(block)}`);
  }
  return {
    number,
    hapiVersion: toVersion(header.hapiProtoVersion) ?? { major: 0, minor: 0, patch: 0 },
    softwareVersion: toVersion(header.softwareVersion),
    timestamp: toTimestamp(decodeMessage(proto.Timestamp, header.blockTimestamp)),
    footer,
    proofs: decodedProofs,
    roots: computeBlockRoots(items, footer, header.blockTimestamp),
    items,
  };
}

/** BlockHashAlgorithm. Another one makes other roots: nothing of the block can be checked. */
const sha384Digest = 0;

function only(items: readonly BlockStreamItem[], wanted: number, name: string): BlockStreamItem {
  const found = items.filter(({ kind }) => kind === wanted);
  if (found.length === 1) return found[0]!;
  const problem = found.length === 0 ? 'truncated' : 'malformed';
  throw new StreamFileError(problem, 'block', `one block ${name}`, `${found.length}`);
}

function toVersion(version: SemanticVersion | null | undefined): SemanticVersion | null {
  return version ? { major: version.major, minor: version.minor, patch: version.patch } : null;
}

/**
 * The consensus rounds that a block covers; null for a block without round headers, or with one that cannot be read.
 */
export function readRounds(items: readonly BlockStreamItem[]): { first: bigint; last: bigint } | null {
  const headers = items.filter(({ kind }) => kind === itemKinds.roundHeader);
  const [first, last] = [headers.at(0), headers.at(-1)].map((header) => header && roundNumber(header));
  return first != null && last != null ? { first, last } : null;
}

/** null for a header that is none. */
function roundNumber({ content }: BlockStreamItem): bigint | null {
  try {
    return findWireVarint(content, 1) ?? 0n;
  } catch (error) {
    if (error instanceof StreamFileError) return null;
    throw error;
  }
}
