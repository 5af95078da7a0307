// Unpacks gzip files strictly: complete, nothing after the end, and never more than a bounded length in memory.
import { gunzipSync } from 'node:zlib';
import { StreamFileError } from './stream-file-error.ts';

/**
 * Of a decompressed record or sidecar file, bytes; stored they have 50 MiB at most. It is in memory twice for a moment.
 */
const maxFileLength = 160 * 1024 * 1024;

/** The content of a gzip file. Throws StreamFileError. */
export function gunzip(bytes: Buffer, part: string, maxLength: number = maxFileLength): Buffer {
  let content: Buffer;
  let consumed: number;
  try {
    // With `info` the call also returns the engine, which knows how many bytes it consumed; the type package has no
    // overload.
    const result = gunzipSync(bytes, { maxOutputLength: maxLength, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    content = result.buffer;
    consumed = result.engine.bytesWritten;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw new StreamFileError('tooLarge', part, `at most ${maxLength} bytes without compression`, 'more');
    }
    const problem = code === 'Z_BUF_ERROR' ? 'truncated' : 'malformed';
    throw new StreamFileError(problem, part, 'a complete gzip file', message);
  }
  if (consumed !== bytes.length) {
    const found = `${bytes.length - consumed} more bytes`;
    throw new StreamFileError('trailingBytes', part, `the end of the gzip data at byte ${consumed}`, found);
  }
  return content;
}
