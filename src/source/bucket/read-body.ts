// The bytes of an answer, whole or not at all: a connection that ends early, and an object that is larger than any stream file,
// are errors.

import { maxStreamFileSize, tooLarge } from '../read-bounded-file.ts';
import { BrokenAnswerError } from './broken-answer-error.ts';

export type BodyOptions = {
  /** For messages. */
  place: string;
  /** As the head of the answer says; null where it does not. */
  sizeBytes: number | null;
  onBytes(): void;
};

/** Throws StreamSourceError for what is too large, BrokenAnswerError for what ends early. */
export async function readBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { place, sizeBytes, onBytes }: BodyOptions,
): Promise<Buffer> {
  if (sizeBytes !== null && sizeBytes > maxStreamFileSize) throw tooLarge(place, `${sizeBytes} bytes`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    onBytes();
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxStreamFileSize) throw tooLarge(place, 'more');
  }
  if (sizeBytes !== null && length < sizeBytes) {
    throw new BrokenAnswerError(`${place} broke off after ${length} of ${sizeBytes} bytes`);
  }
  return Buffer.concat(chunks, length);
}
