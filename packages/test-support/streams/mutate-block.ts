// Blocks as a network may sign them that another version made, and as a party may hand them on that keeps the root.
import fc from 'fast-check';
import { type BlockStreamItem, itemKinds, readItem, writeItem } from '../../streams/block-stream/block-item.ts';
import { redacted, signed } from './block-items.ts';
import { rearranged } from './rearrange-block.ts';

/** `changed`: items of the variant that are not the block's, or no longer. */
export type Mutation = { items: BlockStreamItem[]; changed: ReadonlySet<BlockStreamItem> };

export type MutationKind = 'rearranged' | 'redacted' | 'withoutResult' | 'moved' | 'content';

/** Which of them leave the root as it was. */
export const keepsRoot: Readonly<Record<MutationKind, boolean>> = {
  rearranged: true,
  redacted: true,
  withoutResult: false,
  moved: false,
  content: false,
};

const none: ReadonlySet<BlockStreamItem> = new Set();

/**
 * @param kind redacted: some items are taken out, and others moved. moved: as withoutResult, and rearranged besides.
 */
export function mutated(items: readonly BlockStreamItem[], kind: MutationKind): fc.Arbitrary<Mutation> {
  if (kind === 'rearranged') return rearranged(items).map((variant) => ({ items: variant, changed: none }));
  if (kind === 'redacted') {
    return withoutSome(items)
      .chain((some) => fc.oneof(fc.constant(some), rearranged(some)))
      .map((variant) => ({ items: variant, changed: none }));
  }
  if (kind === 'content') return withOtherContent(items);
  return withoutResults(items)
    .chain((some): fc.Arbitrary<BlockStreamItem[]> => (kind === 'moved' ? rearranged(some) : fc.constant(some)))
    .map((variant) => ({ items: variant, changed: none }));
}

const leafKinds: readonly number[] = [
  itemKinds.signedTransaction,
  itemKinds.transactionResult,
  itemKinds.transactionOutput,
  itemKinds.stateChanges,
  itemKinds.traceData,
];

function placesOfLeaves(items: readonly BlockStreamItem[]): number[] {
  return items.flatMap(({ kind }, place) => (leafKinds.includes(kind) ? [place] : []));
}

function withoutSome(items: readonly BlockStreamItem[]): fc.Arbitrary<BlockStreamItem[]> {
  return fc
    .subarray(placesOfLeaves(items), { minLength: 1, maxLength: 4 })
    .map((places): BlockStreamItem[] => items.map((item, place) => (places.includes(place) ? redacted(item) : item)));
}

/**
 * Transactions of the block, as others sent them, or the same ones again, that the block has no result of: before
 * transactions.
 */
function withoutResults(items: readonly BlockStreamItem[]): fc.Arbitrary<BlockStreamItem[]> {
  const places = items.flatMap(({ kind }, place) => (kind === itemKinds.signedTransaction ? [place] : []));
  const orphan = fc.record({ at: fc.constantFrom(...places), of: fc.constantFrom(...places), other: fc.nat(4) });
  return fc
    .array(orphan, { minLength: 1, maxLength: 3 })
    .map((orphans) =>
      items.flatMap((item, place) => [
        ...orphans.filter(({ at }) => at === place).map(({ of, other }) => toOrphan(items[of]!, other)),
        item,
      ]),
    );
}

function toOrphan(item: BlockStreamItem, other: number): BlockStreamItem {
  if (other === 0) return { ...item };
  const body = { cryptoTransfer: {}, memo: `without a result ${other}` };
  return writeItem(itemKinds.signedTransaction, signed(body, { payer: 1000 + other }));
}

type Change = { place: number; how: number; at: number; byte: number };

/** One or two items with other bytes, with an end that is missing, twice, or not there. */
function withOtherContent(items: readonly BlockStreamItem[]): fc.Arbitrary<Mutation> {
  const change: fc.Arbitrary<Change> = fc.record({
    place: fc.constantFrom(...placesOfLeaves(items)),
    how: fc.nat(5),
    at: fc.nat(),
    byte: fc.nat(255),
  });
  const changes = fc.array(change, { minLength: 1, maxLength: 2 });
  // Without a result and the transaction after it, a block would say that the one before has the other's.
  const isOne = (list: readonly Change[]): boolean => list.filter(({ how }) => how === 0).length < 2;
  return changes.filter(isOne).map((list) => {
    const changed = new Set<BlockStreamItem>();
    const variant = items.flatMap((item, place) => {
      const found = list.find((one) => one.place === place);
      if (!found) return [item];
      const others = changeItem(item, found);
      changed.add(item);
      for (const one of others) changed.add(one);
      return others;
    });
    return { items: variant, changed };
  });
}

function changeItem(item: BlockStreamItem, { how, at, byte }: Change): BlockStreamItem[] {
  const { kind, content } = item;
  if (how === 0) return [];
  if (how === 1) return [item, readItem(item.bytes, 0)];
  const position = content.length === 0 ? 0 : at % content.length;
  if (how === 2) return [writeItem(kind, content.subarray(0, position))];
  if (how === 3)
    return [
      writeItem(kind, Buffer.concat([content.subarray(0, position), Buffer.of(byte), content.subarray(position)])),
    ];
  const other = Buffer.from(content);
  if (other.length > 0) other[position] = byte;
  return [writeItem(kind, other)];
}
