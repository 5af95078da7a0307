// Serialized block in parts → its items. An item within one part is a view of it; one across several is assembled, one
// at a time. Declared lengths are trusted only up to the limits, which are checked before memory is allocated.
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { noBytes, wireBytes } from '../../protocol/wire-fields.ts';
import { type BlockStreamItem, readItem, tooManyItems } from './block-item.ts';
import { type BlockLimits, describeLimit, maxItemsOf } from './block-limits.ts';
import { leaveOutProofs } from './leave-out-proofs.ts';

export type ItemSplitter = {
  /** Throws StreamFileError. */
  add(part: Buffer): void;
  /** All items, or the requested ones. Throws StreamFileError if the last one is truncated. */
  end(): BlockStreamItem[];
};

export type ItemSplitterOptions = {
  limits: BlockLimits;
  /** Which kinds to keep; default all. Nothing is held of others. */
  keeps?: (kind: number) => boolean;
};

/** A view of a small item would keep a larger part than this in memory as long as the item: it is copied. */
const maxSharedPart = 8 * 1024 * 1024;
const maxCopied = 64 * 1024;
/** Tag and length of an item, and the tag of its content: usually three to seven bytes. */
const headLength = 21;

export function createItemSplitter({ limits, keeps = () => true }: ItemSplitterOptions): ItemSplitter {
  const items: BlockStreamItem[] = [];
  const maxItems = maxItemsOf(limits);
  let count = 0;
  /** Of an item whose head is incomplete. */
  let rest: Buffer = noBytes;
  /** Of the item that `readHead` has read. */
  const head: ItemHead = { start: 0, length: 0 };
  /** The item that is being assembled; `bytes` null: it is skipped. */
  let open: { bytes: Buffer | null; filled: number; length: number } | null = null;

  function take(bytes: Buffer | null): void {
    const index = count++;
    if (bytes === null) return;
    const item = readItem(bytes, index);
    if (keeps(item.kind)) items.push(leaveOutProofs(item));
  }

  /** Copies the part's bytes of the open item; returns where the next one begins. */
  function fill(part: Buffer): number {
    const { bytes, filled, length } = open!;
    const end = Math.min(part.length, length - filled);
    if (bytes) part.copy(bytes, filled, 0, end);
    open!.filled += end;
    if (open!.filled === length) {
      open = null;
      take(bytes);
    }
    return end;
  }

  /** Where the next item begins; null if its head is incomplete in the part. */
  function readNext(part: Buffer, at: number, isLast: boolean): number | null {
    if (!isLast && part.length - at < headLength) {
      // Most items are whole: a head can be truncated only at the end of a part.
      if (!readHead(part, at, head) || part.length < head.start + head.length) return null;
    }
    if (!readHead(part, at, head)) throw cutOff();
    const { start, length } = head;
    if (count === maxItems) throw tooManyItems(limits);
    if (length > limits.maxMessageBytes) throw itemTooLarge(count, length, limits);
    if (part.length >= start + length) {
      const bytes = part.subarray(start, start + length);
      take(part.length > maxSharedPart && length <= maxCopied ? Buffer.from(bytes) : bytes);
      return start + length;
    }
    if (isLast) throw cutOff();
    const tag = { start: 0, length: 0 };
    const kind = readVarint(part, start, tag) ? Math.floor(tag.length / 8) : 0;
    open = { bytes: keeps(kind) ? Buffer.allocUnsafeSlow(length) : null, filled: 0, length };
    return start + fill(part.subarray(start));
  }

  function readAll(part: Buffer, from: number, isLast: boolean): void {
    for (let at = from; at < part.length; ) {
      const next = readNext(part, at, isLast);
      if (next === null) {
        rest = Buffer.from(part.subarray(at));
        return;
      }
      at = next;
    }
  }

  return {
    add(part) {
      if (open) readAll(part, fill(part), false);
      else {
        const whole = rest.length > 0 ? Buffer.concat([rest, part]) : part;
        rest = noBytes;
        readAll(whole, 0, false);
      }
    },
    end() {
      if (open) throw cutOff();
      readAll(rest, 0, true);
      return items;
    },
  };
}

/** Where an item begins after its tag and length, and its length. */
export type ItemHead = { start: number; length: number };

/** False if tag and length are truncated. Throws StreamFileError for anything else. */
export function readHead(part: Buffer, at: number, head: ItemHead): boolean {
  if (!readVarint(part, at, head)) return false;
  const [field, wireType] = [Math.floor(head.length / 8), head.length % 8];
  if (field !== 1 || wireType !== wireBytes) {
    throw new StreamFileError('malformed', 'block', 'only block items', `field ${field} of wire type ${wireType}`);
  }
  return readVarint(part, head.start, head);
}

/**
 * Into `head`: the value as its length, and where it ends. As a number: lengths beyond 2^53 exceed every limit. False
 * if it is truncated.
 */
function readVarint(part: Buffer, at: number, head: ItemHead): boolean {
  let value = 0;
  let scale = 1;
  for (let offset = at; offset < part.length; offset++, scale *= 128) {
    if (offset - at === 10) {
      throw new StreamFileError('malformed', 'block', 'a varint of at most 10 bytes', `more at byte ${offset}`);
    }
    const byte = part[offset]!;
    value += (byte & 0x7f) * scale;
    if (byte >= 0x80) continue;
    head.start = offset + 1;
    head.length = value;
    return true;
  }
  return false;
}

export function cutOff(): StreamFileError {
  return new StreamFileError('truncated', 'block', 'the rest of an item', 'the end of the block');
}

export function itemTooLarge(index: number, length: number, { maxMessageBytes }: BlockLimits): StreamFileError {
  const expected = `at most ${describeLimit(maxMessageBytes, 'max-message-size')}`;
  return new StreamFileError('tooLarge', `block item ${index}`, expected, `${length} bytes`);
}
