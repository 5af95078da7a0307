// A block file as stored → the serialized block. gzip and Zstandard are known by their first bytes, so that a wrong
// ending of the name does no harm; a serialized block begins with neither.
import { zstdDecompressSync } from 'node:zlib';
import { gunzip } from '../gunzip.ts';
import { StreamFileError } from '../stream-file-error.ts';

const gzipMagic = Buffer.of(0x1f, 0x8b);
const zstdMagic = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);
/** As large as a decompressed block may be, bytes. */
const maxLength = 512 * 1024 * 1024;

/** Throws StreamFileError. */
export function unpackBlockFile(stored: Buffer): Buffer {
  if (stored.subarray(0, 2).equals(gzipMagic)) return gunzip(stored, 'block file');
  if (!stored.subarray(0, 4).equals(zstdMagic)) return stored;
  try {
    return zstdDecompressSync(stored, { maxOutputLength: maxLength });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === 'ZSTD_error_srcSize_wrong' || code === 'Z_BUF_ERROR' ? 'truncated' : 'malformed';
    throw new StreamFileError(problem, 'block file', 'a complete Zstandard file', message);
  }
}
