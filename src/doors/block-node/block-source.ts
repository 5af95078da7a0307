// Where the bytes of blocks come from that were not kept: the source of this mirror's stream.
import type { BlockLimits } from '../../../packages/streams/block-stream/block-limits.ts';

/** Of numbers, both included. */
export type BlockSpan = { first: bigint; last: bigint };

export type BlockSource = {
  limits: BlockLimits;
  has(number: bigint, signal: AbortSignal): Promise<boolean>;
  /** As stored, in parts. The iteration throws BlockMissingError, and errors of the source. */
  parts(number: bigint, signal: AbortSignal): AsyncIterable<Buffer>;
};

/** It was not kept, and the source does not have it. */
export class BlockMissingError extends Error {
  constructor(number: bigint) {
    super(`Block ${number} is not at hand`);
    this.name = 'BlockMissingError';
  }
}
