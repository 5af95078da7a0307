// Where an import ends because an operator said so: after a block, or with the block of a moment.
import type { StreamPoint } from './stream-point.ts';

export type ImportEnd = {
  /** Whether this block, the last one stored, is the end or lies behind it. */
  isReached(last: { index: bigint; consensusEnd: bigint }): boolean;
  /** Whether the block lies behind the end and is not to be stored. */
  isBefore(block: { number: bigint; consensusStart: bigint }): boolean;
};

export function createImportEnd(until: StreamPoint): ImportEnd {
  return until.kind === 'block'
    ? {
        isReached: ({ index }) => index >= until.number,
        isBefore: ({ number }) => number > until.number,
      }
    : {
        isReached: ({ consensusEnd }) => consensusEnd >= until.timestamp,
        isBefore: ({ consensusStart }) => consensusStart > until.timestamp,
      };
}
