// A stored block file → the block in pieces of whole items, as they are sent on: a set of items has the layout of a
// block. Of a large block only a piece is in memory, or the one item that is larger than a piece. The proofs, which end
// a block, come only when the root of all items is the one that is known: a reader never has the whole of another
// block.

import { createSlices } from '../../kit/slices.ts';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { findWireBytes, noBytes, visitWireFields } from '../../protocol/wire-fields.ts';
import { itemKinds, readItem, tooManyItems } from './block-item.ts';
import { type BlockLimits, maxItemsOf } from './block-limits.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { blockMessages } from './block-messages.ts';
import { createBlockRoots } from './block-root.ts';
import { startLeaf } from './hash-tree.ts';
import { cutOff, type ItemHead, itemTooLarge, readHead } from './item-splitter.ts';
import { blockTooLarge, unpackStored } from './read-block-items.ts';

export type CutBlockOptions = {
  number: bigint;
  /** In either form. */
  root: Buffer;
  limits: BlockLimits;
  /** Default: as many as go with the limits. */
  maxItems?: number;
  /** Called for an item that was left out. */
  onRedacted?(): void;
};

/** Of whole items, bytes, unless one item has more. */
export const maxPieceBytes = 512 * 1024;
/** Proofs, and what follows the first of them. */
const maxProofBytes = 8 * 1024 * 1024;

/** Throws StreamFileError, and errors of the parts. */
export async function* cutBlock(stored: AsyncIterable<Buffer>, options: CutBlockOptions): AsyncGenerator<Buffer> {
  const { number, limits, maxItems = maxItemsOf(limits), onRedacted = () => {} } = options;
  const roots = createBlockRoots();
  let header: BlockMessages['BlockHeader'] | null = null;
  let footer: BlockMessages['BlockFooter'] | null = null;
  const held: Buffer[] = [];
  let heldBytes = 0;
  let hasProof = false;
  let count = 0;
  for await (const piece of cutItems(unpackStored(stored), limits)) {
    const leaf = piece.length > maxPieceBytes ? await hashLargeItem(findWireBytes(piece, 1)!) : null;
    visitWireFields(piece, (_field, _wireType, start, end) => {
      if (count === maxItems) throw tooManyItems(limits);
      const item = readItem(piece.subarray(start, end), count);
      count += 1;
      roots.add(leaf ? { ...item, leaf } : item);
      if (item.kind === itemKinds.blockHeader) header ??= readHeader(item.content, number);
      else if (!header)
        throw new StreamFileError('malformed', `block ${number}`, 'a header first', `kind ${item.kind}`);
      if (item.kind === itemKinds.blockFooter) footer = blockMessages.footer.decode(item.content);
      if (item.kind === itemKinds.redactedItem) onRedacted();
      hasProof ||= item.kind === itemKinds.blockProof;
    });
    if (!hasProof) {
      yield piece;
      continue;
    }
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes > maxProofBytes) {
      throw new StreamFileError('tooLarge', `proofs of block ${number}`, `at most ${maxProofBytes} bytes`, 'more');
    }
  }
  assertRoot(options, { roots, header, footer, hasProof });
  yield* held;
}

/** 100 MiB at once would hold up all others for half a second. */
async function hashLargeItem(bytes: Buffer): Promise<Buffer> {
  const slices = createSlices();
  const leaf = startLeaf();
  for (let at = 0; at < bytes.length; at += maxPieceBytes) {
    if (slices.isOver()) await slices.next();
    leaf.update(bytes.subarray(at, at + maxPieceBytes));
  }
  return leaf.digest();
}

function readHeader(content: Buffer, number: bigint): BlockMessages['BlockHeader'] {
  const header = blockMessages.header.decode(content);
  const found = toBigInt(header.number);
  if (found === number) return header;
  throw new StreamFileError('malformed', 'block file', `block ${number}`, `block ${found}`);
}

type Read = {
  roots: ReturnType<typeof createBlockRoots>;
  header: BlockMessages['BlockHeader'] | null;
  footer: BlockMessages['BlockFooter'] | null;
  hasProof: boolean;
};

function assertRoot({ number, root }: CutBlockOptions, { roots, header, footer, hasProof }: Read): void {
  if (!header || !footer || !hasProof) {
    throw new StreamFileError('truncated', `block ${number}`, 'header, footer and a proof', 'fewer');
  }
  const { sixteen, eight } = roots.end(footer, header.blockTimestamp);
  if (sixteen.equals(root) || eight?.equals(root)) return;
  throw new StreamFileError('malformed', `block ${number}`, `root ${root.toString('hex')}`, sixteen.toString('hex'));
}

/** Throws StreamFileError. */
async function* cutItems(parts: AsyncIterable<Buffer>, limits: BlockLimits): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  let count = 0;
  /** Of an item whose tag and length are not whole. */
  let rest: Buffer = noBytes;
  /** An item across parts, with its tag. */
  let open: { bytes: Buffer; filled: number } | null = null;
  const head: ItemHead = { start: 0, length: 0 };
  for await (const part of parts) {
    sizeBytes += part.length;
    if (sizeBytes > limits.maxBlockBytes) throw blockTooLarge(limits);
    let data: Buffer = rest.length > 0 ? Buffer.concat([rest, part]) : part;
    rest = noBytes;
    if (open) {
      const { bytes, filled }: { bytes: Buffer; filled: number } = open;
      const copied = data.copy(bytes, filled);
      open.filled += copied;
      if (open.filled < bytes.length) continue;
      open = null;
      yield bytes;
      data = data.subarray(copied);
    }
    let [from, at] = [0, 0];
    for (; at < data.length && readHead(data, at, head); count += 1) {
      if (head.length > limits.maxMessageBytes) throw itemTooLarge(count, head.length, limits);
      const end = head.start + head.length;
      if (at > from && (end > data.length || end - from > maxPieceBytes)) {
        yield data.subarray(from, at);
        from = at;
      }
      if (end > data.length) {
        const bytes = Buffer.allocUnsafeSlow(end - at);
        open = { bytes, filled: data.copy(bytes, 0, at) };
        from = at = data.length;
        break;
      }
      at = end;
    }
    if (at > from) yield data.subarray(from, at);
    if (at < data.length) rest = Buffer.from(data.subarray(at));
  }
  if (open || rest.length > 0) throw cutOff();
}
