// How large a block may be. A larger one is refused before it is in memory.

export type BlockLimits = {
  /** Of an uncompressed block, and so of its file, bytes. */
  maxBlockBytes: number;
  /** Of one item, and of one message of a block node, bytes. */
  maxMessageBytes: number;
};

const bytesOfMiB = 1024 * 1024;

/** Networks make items of up to 125 MiB (HIP-1056); three votes on a history proof are a block of 99 MB in 2026. */
export const defaultBlockLimits: BlockLimits = { maxBlockBytes: 512 * bytesOfMiB, maxMessageBytes: 160 * bytesOfMiB };

/** Each item takes some 650 bytes beside its content, however small it is (850 MB of memory with a million of them). */
const bytesOfItem = 2048;

/**
 * Of one block. 262,144 at the default: 10,000 transactions a second with six items each are 120,000 in two seconds.
 */
export function maxItemsOf({ maxBlockBytes }: BlockLimits): number {
  return Math.floor(maxBlockBytes / bytesOfItem);
}

/** For messages: `512 MiB (--max-block-size)`. */
export function describeLimit(sizeBytes: number, setting: 'max-block-size' | 'max-message-size'): string {
  const mebibytes = sizeBytes / bytesOfMiB;
  return `${Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${sizeBytes} bytes`} (--${setting})`;
}
