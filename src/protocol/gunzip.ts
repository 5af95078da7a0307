// Opens gzip files exactly: complete, nothing behind the end, and never more than a bounded length in memory.
import { gunzipSync } from 'node:zlib';
import { StreamFileError } from './stream-file-error.ts';

/** As large as a decompressed stream file may be, bytes. Files as stored are at most 50 MiB. */
const maxLength = 512 * 1024 * 1024;

/** The content of a gzip file. Throws StreamFileError. */
export function gunzip(bytes: Buffer, part: string): Buffer {
  let content: Buffer;
  let consumed: number;
  try {
    // With `info` the call returns the engine too, which knows how many bytes it took; the type package has no overload.
    const result = gunzipSync(bytes, { maxOutputLength: maxLength, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    content = result.buffer;
    consumed = result.engine.bytesWritten;
  } catch (error) {
    const problem = (error as { code?: string }).code === 'Z_BUF_ERROR' ? 'truncated' : 'malformed';
    throw new StreamFileError(problem, part, 'a complete gzip file', `${(error as Error).message}`);
  }
  if (consumed !== bytes.length) {
    const found = `${bytes.length - consumed} more bytes`;
    throw new StreamFileError('trailingBytes', part, `the end of the gzip data at byte ${consumed}`, found);
  }
  return content;
}
