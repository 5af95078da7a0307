// A block is a list of items; each is one field whose number gives its kind. Their bytes are kept: the root hash is made of
// them, including items that this version does not know.
import { StreamFileError } from '../stream-file-error.ts';
import { visitWireFields, wireBytes } from '../wire-fields.ts';
import { bytesField } from '../wire-writer.ts';
import { defaultBlockLimits, describeLimit, maxItemsOf } from './block-limits.ts';

/** Field numbers of BlockItem. */
export const itemKinds = {
  blockHeader: 1,
  eventHeader: 2,
  roundHeader: 3,
  signedTransaction: 4,
  transactionResult: 5,
  transactionOutput: 6,
  stateChanges: 7,
  filteredItemHash: 8,
  blockProof: 9,
  recordFile: 10,
  traceData: 11,
  blockFooter: 12,
  redactedItem: 19,
} as const;

export type BlockStreamItem = {
  /** Field number of the item's oneof. */
  kind: number;
  /** The message in it. */
  content: Buffer;
  /** The whole BlockItem message. */
  bytes: Buffer;
  /** Leaf of the original item, if something was left out of `content` and `bytes`. */
  leaf?: Buffer;
};

/** Serialized Block → its items. Throws StreamFileError. */
export function splitBlock(block: Buffer, limits = defaultBlockLimits): BlockStreamItem[] {
  const items: BlockStreamItem[] = [];
  const maxItems = maxItemsOf(limits);
  visitWireFields(block, (number, wireType, start, end) => {
    if (number !== 1 || wireType !== wireBytes) {
      throw new StreamFileError('malformed', 'block', 'only block items', `field ${number} of wire type ${wireType}`);
    }
    if (items.length === maxItems) throw tooManyItems(limits);
    items.push(readItem(block.subarray(start, end), items.length));
  });
  return items;
}

/** What is small in its file, but not in memory. */
export function tooManyItems(limits: typeof defaultBlockLimits): StreamFileError {
  const expected = `at most ${maxItemsOf(limits)} items, as many as go with blocks of ${describeLimit(limits.maxBlockBytes, 'max-block-size')}`;
  return new StreamFileError('tooLarge', 'block', expected, 'more');
}

/** @param index for messages */
export function readItem(bytes: Buffer, index: number): BlockStreamItem {
  let item: BlockStreamItem | null = null;
  visitWireFields(bytes, (kind, wireType, start, end) => {
    if (item || wireType !== wireBytes) {
      throw new StreamFileError('malformed', `block item ${index}`, 'one message', `another field, number ${kind}`);
    }
    item = { kind, content: bytes.subarray(start, end), bytes };
  });
  if (item) return item;
  throw new StreamFileError('malformed', `block item ${index}`, 'one message', 'none');
}

/** The item of this kind with this message. */
export function writeItem(kind: number, content: Uint8Array): BlockStreamItem {
  const bytes = Buffer.concat(bytesField(kind, content));
  return { kind, content: Buffer.from(content), bytes };
}
