// Blocks that could not be read are not asked for during a few seconds, nor shown: a follower goes elsewhere.
import type { BlockSpan } from './block-source.ts';

const missingMs = 5_000;
const maxMissing = 1000;

export type MissingBlocks = {
  note(number: bigint): void;
  /** They may be there again. */
  expire(): void;
  /** What is left of these spans. */
  takeFrom(spans: BlockSpan[]): BlockSpan[];
};

export function createMissingBlocks(): MissingBlocks {
  const missing = new Set<bigint>();
  let sinceMs = 0;
  return {
    note(number) {
      if (missing.size === 0) sinceMs = performance.now();
      if (missing.size < maxMissing) missing.add(number);
    },
    expire() {
      if (performance.now() - sinceMs >= missingMs) missing.clear();
    },
    takeFrom: (spans) => (missing.size === 0 ? spans : spans.flatMap((span) => withoutMissing(span, missing))),
  };
}

function withoutMissing({ first, last }: BlockSpan, missing: ReadonlySet<bigint>): BlockSpan[] {
  const left: BlockSpan[] = [];
  let begin = first;
  for (const number of [...missing].filter((one) => one >= first && one <= last).sort((a, b) => (a < b ? -1 : 1))) {
    if (begin < number) left.push({ first: begin, last: number - 1n });
    begin = number + 1n;
  }
  if (begin <= last) left.push({ first: begin, last });
  return left;
}
