// A stored block file, in parts → its items. Small ones are unpacked at once; of a large one only a part, the current
// item and the kept items are in memory. A file that unpacks to more than a block may have is refused at that point.
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { noBytes } from '../../protocol/wire-fields.ts';
import type { BlockStreamItem } from './block-item.ts';
import { type BlockLimits, describeLimit } from './block-limits.ts';
import { createItemSplitter, type ItemSplitter, type ItemSplitterOptions } from './item-splitter.ts';
import { findCompression, unpackBlockFile } from './unpack-block-file.ts';
import { unpackBlockParts } from './unpack-block-parts.ts';

export type StoredBlock = {
  items: BlockStreamItem[];
  /** As stored. */
  sizeBytes: number;
  /** Uncompressed. */
  unpackedBytes: number;
};

/** As stored and unpacked, bytes: up to this size at once. */
const maxSmallStored = 2 * 1024 * 1024;
const maxSmallUnpacked = 8 * 1024 * 1024;
/**
 * Compression ratio, and the number of bytes at which it is checked: above it a file is measured before anything of it
 * is kept. Blocks have 2 to 6; zeros a thousand with gzip and thirty thousand with Zstandard.
 */
const maxUnmeasuredRatio = 50;
const maxUnmeasured = 32 * 1024 * 1024;

/**
 * Throws StreamFileError, and errors of the parts.
 * @param read returns the parts from the first on; called again if the file has to be measured
 */
export async function readBlockItems(
  read: () => AsyncIterable<Buffer>,
  options: ItemSplitterOptions,
): Promise<StoredBlock> {
  const { known, more } = await begin(read(), { parts: 2 });
  try {
    const [first = noBytes, second] = known;
    const small = second || first.length > maxSmallStored ? null : unpackSmall(first, options);
    const block = small ?? (await readLarge(chain(known, more), options, false));
    if (block) return block;
  } finally {
    await more.return?.();
  }
  // Only sizes are counted; beyond the limit it throws.
  await readLarge(read(), { ...options, keeps: () => false }, true);
  return (await readLarge(read(), options, true))!;
}

/** The first parts: this many of them, or as many as have this many bytes. */
async function begin(parts: AsyncIterable<Buffer>, enough: { parts?: number; bytes?: number }) {
  const more = parts[Symbol.asyncIterator]();
  const known: Buffer[] = [];
  const { parts: enoughParts = Number.POSITIVE_INFINITY, bytes: enoughBytes = Number.POSITIVE_INFINITY } = enough;
  for (let length = 0; length < enoughBytes && known.length < enoughParts; ) {
    const { value, done } = await more.next();
    if (done) break;
    known.push(value);
    length += value.length;
  }
  return { known, more };
}

async function* chain(known: Buffer[], more: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  while (known.length > 0) yield known.shift()!;
  for (let next = await more.next(); !next.done; next = await more.next()) yield next.value;
}

/** null if it turns out to be large. */
function unpackSmall(stored: Buffer, options: ItemSplitterOptions): StoredBlock | null {
  const { limits } = options;
  const maxLength = Math.min(maxSmallUnpacked, limits.maxBlockBytes);
  try {
    const block = unpackBlockFile(stored, maxLength);
    if (block.length > maxLength) return null;
    const splitter = createItemSplitter(options);
    splitter.add(block);
    return { items: splitter.end(), sizeBytes: stored.length, unpackedBytes: block.length };
  } catch (error) {
    if (error instanceof StreamFileError && error.problem === 'tooLarge' && error.part === 'block file') return null;
    throw error;
  }
}

/** null if it was not measured and should be. */
async function readLarge(
  parts: AsyncIterable<Buffer>,
  options: ItemSplitterOptions,
  isMeasured: boolean,
): Promise<StoredBlock | null> {
  const { limits } = options;
  let sizeBytes = 0;
  let unpackedBytes = 0;
  let splitter: ItemSplitter | null = createItemSplitter(options);
  /** Thrown when all was unpacked: a truncated file, or one beyond the limit, is reported as that first. */
  let failure: StreamFileError | null = null;
  for await (const part of unpackStored(counted())) {
    unpackedBytes += part.length;
    if (unpackedBytes > limits.maxBlockBytes) throw blockTooLarge(limits);
    if (!isMeasured && unpackedBytes > maxUnmeasured && unpackedBytes > maxUnmeasuredRatio * sizeBytes) return null;
    try {
      splitter?.add(part);
    } catch (error) {
      if (!(error instanceof StreamFileError)) throw error;
      failure = error;
      // With everything that it holds.
      splitter = null;
    }
  }
  if (failure || !splitter) throw failure;
  return { items: splitter.end(), sizeBytes, unpackedBytes };

  async function* counted(): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      sizeBytes += part.length;
      yield part;
    }
  }
}

/**
 * A stored block file in parts → the serialized block in parts, whatever it is compressed with. Throws StreamFileError.
 */
export async function* unpackStored(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { known, more } = await begin(stored, { bytes: bytesToTell });
  const compression = findCompression(known.length > 1 ? Buffer.concat(known) : (known[0] ?? noBytes));
  try {
    const parts = chain(known, more);
    yield* compression === 'none' ? parts : unpackBlockParts(parts, compression);
  } finally {
    await more.return?.();
  }
}

/** Enough to identify the compression. */
const bytesToTell = 4;

export function blockTooLarge({ maxBlockBytes }: BlockLimits): StreamFileError {
  const expected = `at most ${describeLimit(maxBlockBytes, 'max-block-size')} without compression`;
  return new StreamFileError('tooLarge', 'block file', expected, 'more');
}
