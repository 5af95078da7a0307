// How long a block node may take, and how often it is asked again.
import type { BlockLimits } from '../../streams/block-stream/block-limits.ts';

export type BlockNodeLimits = {
  /** For a connection and the answer to a short question. */
  answerMs: number;
  /** After this time without a message, the node is asked whether it has more. */
  stallMs: number;
  /** How long a block waits for the next one, which names its root. */
  confirmMs: number;
  /** From the end of one block to the end of the next, while the node sends. */
  blockMs: number;
  /** Consecutive streams that end without a block, before the node is left. */
  attempts: number;
  /** Pause after the first of them; each is twice as long as the one before, up to eight times this. */
  pauseMs: number;
  blockLimits: BlockLimits;
};

/** @param timeoutMs for an answer, and for silence while there is more */
export function blockNodeLimits(timeoutMs: number, blockLimits: BlockLimits): BlockNodeLimits {
  return {
    answerMs: timeoutMs,
    stallMs: timeoutMs,
    // Blocks come every two seconds.
    confirmMs: Math.min(timeoutMs, 5_000),
    blockMs: 30 * timeoutMs,
    // Four pauses, 3.75 s: a block that was announced is stored within two or three.
    attempts: 5,
    pauseMs: 250,
    blockLimits,
  };
}
