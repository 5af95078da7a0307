// Blocks with items of one subtree moved between those of others: the block root stays the same, since it only covers
// the order inside each subtree.
import fc from 'fast-check';
import { type BlockStreamItem, itemKinds } from '../../streams/block-stream/block-item.ts';
import { findSubtree, readRedactedItem } from '../../streams/block-stream/item-subtree.ts';

/** Subtree of an item; proof and footer stay at the end. */
function subtreeOf({ kind, content }: BlockStreamItem): number | null {
  return kind === itemKinds.redactedItem ? readRedactedItem(content).subtree : findSubtree(kind);
}

/** Items that may move, and those before and after them. */
function openBlock(items: readonly BlockStreamItem[]) {
  const end = items.findIndex(({ kind }) => kind === itemKinds.blockFooter);
  const last = end < 0 ? items.length : end;
  return { head: items.slice(0, 1), middle: items.slice(1, last), tail: items.slice(last) };
}

/** Some items move past neighbours of other subtrees, up to the next item of their subtree. */
function wander(items: readonly BlockStreamItem[], moves: readonly { from: number; by: number }[]): BlockStreamItem[] {
  const list = [...items];
  for (const { from, by } of moves) {
    let place = from % list.length;
    const step = by < 0 ? -1 : 1;
    for (let count = Math.abs(by); count > 0; count--) {
      const [item, other] = [list[place], list[place + step]];
      if (!item || !other || subtreeOf(item) === subtreeOf(other) || subtreeOf(item) === null) break;
      [list[place], list[place + step]] = [other, item];
      place += step;
    }
  }
  return list;
}

/** All items of some subtrees move by some items of the others, such as each result to the transaction before. */
function shift(items: readonly BlockStreamItem[], kinds: readonly number[], by: number): BlockStreamItem[] {
  const trees = new Set(kinds.map((kind) => findSubtree(kind)));
  const isMoved = (item: BlockStreamItem): boolean => trees.has(subtreeOf(item));
  const moved = items.filter(isMoved);
  const places = items.flatMap((item, place) => (isMoved(item) ? [place] : []));
  const others = items.filter((item) => !isMoved(item));
  const result: BlockStreamItem[] = [];
  let next = 0;
  for (const [index, item] of others.entries()) {
    while (next < moved.length && places[next]! - next + by <= index) result.push(moved[next++]!);
    result.push(item);
  }
  return [...result, ...moved.slice(next)];
}

/** Any mixture of the subtrees, each in its order. */
function shuffle(items: readonly BlockStreamItem[], picks: readonly number[]): BlockStreamItem[] {
  const lists = new Map<number | null, BlockStreamItem[]>();
  for (const item of items) lists.set(subtreeOf(item), [...(lists.get(subtreeOf(item)) ?? []), item]);
  const result: BlockStreamItem[] = [];
  for (let turn = 0; result.length < items.length; turn++) {
    const left = [...lists.values()].filter((list) => list.length > 0);
    result.push(left[picks[turn % picks.length]! % left.length]!.shift()!);
  }
  return result;
}

const { transactionResult, transactionOutput, stateChanges, traceData, signedTransaction } = itemKinds;

export function rearranged(items: readonly BlockStreamItem[]): fc.Arbitrary<BlockStreamItem[]> {
  const { head, middle, tail } = openBlock(items);
  const moves = fc.array(fc.record({ from: fc.nat(), by: fc.integer({ min: -40, max: 40 }) }), {
    minLength: 1,
    maxLength: 12,
  });
  const kinds = fc.constantFrom(
    [transactionResult, transactionOutput],
    [stateChanges],
    [traceData],
    [signedTransaction],
    [transactionResult, transactionOutput, traceData],
    [transactionResult, transactionOutput, traceData, stateChanges],
  );
  return fc
    .oneof(
      { weight: 5, arbitrary: moves.map((list) => wander(middle, list)) },
      {
        weight: 3,
        arbitrary: fc.tuple(kinds, fc.integer({ min: -8, max: 8 })).map(([list, by]) => shift(middle, list, by)),
      },
      {
        weight: 1,
        arbitrary: fc.array(fc.nat(), { minLength: 1, maxLength: 50 }).map((picks) => shuffle(middle, picks)),
      },
    )
    .map((list) => [...head, ...list, ...tail]);
}
