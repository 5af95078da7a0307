// The body of an answer, whole or not at all: a connection that ends early, and an object that is larger than any
// stream file, are errors.

import { type FileLimit, streamFileLimit } from '../file-limit.ts';
import { BrokenAnswerError } from './object-store.ts';

export type BodyOptions = {
  /** For messages. */
  place: string;
  /** From the header; null if absent. */
  sizeBytes: number | null;
  /** Default: that of record files. */
  limit?: FileLimit;
  onBytes(): void;
};

/** Throws StreamSourceError for what is too large, BrokenAnswerError for what ends early. */
export async function readBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { place, sizeBytes, limit = streamFileLimit, onBytes }: BodyOptions,
): Promise<Buffer> {
  if (sizeBytes !== null && sizeBytes > limit.maxBytes) throw limit.tooLarge(place, `${sizeBytes} bytes`);
  // With a known size a large object is in memory once, and not also in parts. Unfilled pages take no memory.
  const whole = sizeBytes !== null && sizeBytes > maxInParts ? Buffer.allocUnsafeSlow(sizeBytes) : null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    onBytes();
    if (length + chunk.length > (whole?.length ?? limit.maxBytes)) throw limit.tooLarge(place, 'more');
    if (whole) whole.set(chunk, length);
    else chunks.push(chunk);
    length += chunk.length;
  }
  if (sizeBytes !== null && length < sizeBytes) {
    throw new BrokenAnswerError(`${place} broke off after ${length} of ${sizeBytes} bytes`);
  }
  return whole ?? Buffer.concat(chunks, length);
}

/** Bytes; objects up to this size are joined from parts. */
const maxInParts = 1024 * 1024;
