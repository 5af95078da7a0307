// How large a stream file may be as stored: a larger one is refused before it is read, with its name and the limit.
import { type BlockLimits, describeLimit } from '../streams/block-stream/block-limits.ts';
import { StreamSourceError } from './stream-source.ts';

export type FileLimit = { maxBytes: number; tooLarge(place: string, found: string): StreamSourceError };

/** Largest record, signature or sidecar file, bytes. */
export const maxStreamFileSize = 50 * 1024 * 1024;

export const streamFileLimit: FileLimit = {
  maxBytes: maxStreamFileSize,
  tooLarge: (place, found) =>
    refusal(
      place,
      `${found}; stream files have at most ${maxStreamFileSize}. Remove it or replace it with the copy of another node`,
    ),
};

export function blockFileLimit({ maxBlockBytes }: BlockLimits): FileLimit {
  const max = describeLimit(maxBlockBytes, 'max-block-size');
  return {
    maxBytes: maxBlockBytes,
    tooLarge: (place, found) =>
      refusal(place, `${found}; blocks have at most ${max}. Raise that, or replace it with the copy of another node`),
  };
}

/** By its name, as stored. */
export function findFileLimit(name: string, limits: BlockLimits): FileLimit {
  return /\.blk(?:\.[a-z]+)?$/.test(name) ? blockFileLimit(limits) : streamFileLimit;
}

function refusal(place: string, found: string): StreamSourceError {
  return new StreamSourceError('tooLarge', place, `${place} has ${found}`);
}
