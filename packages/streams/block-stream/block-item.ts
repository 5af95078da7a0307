// A block is a list of items; each is one field whose number gives its kind. Their bytes are kept: the root hash is
// made of them, including items that this version does not know.
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { createWireCursor, nextWireField, visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';
import { bytesField } from '../../protocol/wire-writer.ts';
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
  const contentAt = wholeContentAt(bytes);
  if (contentAt > 0) return { kind: bytes[0]! >> 3, content: bytes.subarray(contentAt), bytes };
  const field = createWireCursor(bytes);
  if (!nextWireField(field)) throw new StreamFileError('malformed', `block item ${index}`, 'one message', 'none');
  const { number: kind, wireType, start, end } = field;
  if (wireType !== wireBytes || nextWireField(field)) {
    const found = `another field, number ${field.number}`;
    throw new StreamFileError('malformed', `block item ${index}`, 'one message', found);
  }
  return { kind, content: bytes.subarray(start, end), bytes };
}

/** Where the content begins if its tag has one byte and its length at most four, and nothing follows; else 0. */
function wholeContentAt(bytes: Buffer): number {
  const tag = bytes[0] ?? 0;
  if (tag >= 128 || tag < 8 || (tag & 7) !== wireBytes) return 0;
  let length = 0;
  for (let at = 1; at <= Math.min(4, bytes.length - 1); at++) {
    const byte = bytes[at]!;
    length += (byte & 0x7f) << (7 * (at - 1));
    if (byte < 128) return at + 1 + length === bytes.length ? at + 1 : 0;
  }
  return 0;
}

/** The item of this kind with this message. */
export function writeItem(kind: number, content: Uint8Array): BlockStreamItem {
  const bytes = Buffer.concat(bytesField(kind, content));
  return { kind, content: Buffer.from(content), bytes };
}
