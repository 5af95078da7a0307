// Which blocks a node has: ranges with gaps between them, and the number that it expects next.

export type BlockRange = { first: bigint; last: bigint };

export type AvailableBlocks = {
  /** In order, separated by gaps; empty while the node has no blocks. */
  ranges: readonly BlockRange[];
  /** The node has, or is receiving, all before it; null if it does not say. */
  nextExpected: bigint | null;
};

/** In order; ranges that overlap or touch are joined. */
export function mergeRanges(ranges: readonly BlockRange[]): BlockRange[] {
  const merged: BlockRange[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const before = merged.at(-1);
    if (!before || first > before.last + 1n) merged.push({ first, last });
    else if (last > before.last) before.last = last;
  }
  return merged;
}

/** The range that has this block. */
export function findRange({ ranges }: AvailableBlocks, number: bigint): BlockRange | undefined {
  return ranges.find(({ first, last }) => first <= number && number <= last);
}

/** Whether the node does not have this block yet but will, after those it has or is receiving. */
export function isToCome({ ranges, nextExpected }: AvailableBlocks, number: bigint): boolean {
  const last = ranges.at(-1)?.last;
  if (last === undefined) return number === nextExpected;
  return number > last && (number === last + 1n || number <= (nextExpected ?? 0n));
}

/** In a message. */
const maxListedRanges = 5;

export function describeRanges(ranges: readonly BlockRange[]): string {
  const listed = ranges.slice(0, maxListedRanges).map(({ first, last }) => `${first} to ${last}`);
  const others = ranges.length - listed.length;
  return `the blocks ${listed.join(', ')}${others > 0 ? `, and ${others} further ranges` : ''}`;
}
