// A stored block file → the serialized block. gzip and Zstandard are recognized by their first bytes, whatever the
// name; a block begins with neither. A Zstandard file may have several frames; nothing may follow the last one, as with
// gzip.
import { zstdDecompressSync } from 'node:zlib';
import { gunzip } from '../../protocol/gunzip.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { defaultBlockLimits } from './block-limits.ts';

const gzipMagic = Buffer.of(0x1f, 0x8b);
const zstdMagic = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);
/** A frame that decoders skip: its first byte is any from 0x50 to 0x5f. */
const skippableMagic = Buffer.of(0x50, 0x2a, 0x4d, 0x18);

export type BlockCompression = 'gzip' | 'zstd' | 'none';

/** From the beginning of a file; four bytes are enough. */
export function findCompression(start: Buffer): BlockCompression {
  if (start.subarray(0, 2).equals(gzipMagic)) return 'gzip';
  return isZstdFrame(start) ? 'zstd' : 'none';
}

export function isZstdFrame(start: Buffer): boolean {
  if (start.subarray(0, 4).equals(zstdMagic)) return true;
  return start.length >= 4 && (start[0]! & 0xf0) === 0x50 && start.subarray(1, 4).equals(skippableMagic.subarray(1));
}

/**
 * In one call, for small files. Throws StreamFileError, with the problem tooLarge if the block has more bytes than
 * `maxLength`.
 */
export function unpackBlockFile(stored: Buffer, maxLength: number = defaultBlockLimits.maxBlockBytes): Buffer {
  const compression = findCompression(stored);
  if (compression === 'none') return stored;
  if (compression === 'gzip') return gunzip(stored, 'block file', maxLength);
  const frames: Buffer[] = [];
  let left = maxLength;
  for (let rest = stored; rest.length > 0; ) {
    if (!isZstdFrame(rest)) throw behindTheEnd(stored.length - rest.length, rest.length);
    const { content, consumed } = unpackFrame(rest, left);
    frames.push(content);
    left -= content.length;
    rest = rest.subarray(consumed);
  }
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames);
}

function unpackFrame(stored: Buffer, maxLength: number): { content: Buffer; consumed: number } {
  try {
    // With `info` the call also returns the engine, which knows how many bytes it consumed; the type package has no
    // overload.
    const result = zstdDecompressSync(stored, {
      // 0 would be no limit.
      maxOutputLength: Math.max(maxLength, 1),
      info: true,
    } as object) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    return { content: result.buffer, consumed: result.engine.bytesWritten };
  } catch (error) {
    throw unpackProblem(error, 'zstd', maxLength);
  }
}

/** A decompressor's error as ours. */
export function unpackProblem(error: unknown, compression: BlockCompression, maxLength: number): StreamFileError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    return new StreamFileError('tooLarge', 'block file', `at most ${maxLength} bytes without compression`, 'more');
  }
  const isTruncated = code === 'ZSTD_error_srcSize_wrong' || code === 'Z_BUF_ERROR';
  const expected = compression === 'gzip' ? 'a complete gzip file' : 'a complete Zstandard file';
  return new StreamFileError(isTruncated ? 'truncated' : 'malformed', 'block file', expected, message);
}

export function behindTheEnd(end: number, length: number): StreamFileError {
  const expected = `the end of the compressed data at byte ${end}`;
  return new StreamFileError('trailingBytes', 'block file', expected, `${length} more bytes`);
}
