// Reads a stream file whole, and refuses what no node would write: files that are too large, and devices, pipes and folders
// under a file's name, which may never end.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { StreamSourceError } from './stream-source.ts';

/** Largest stream file as stored, bytes. */
export const maxStreamFileSize = 50 * 1024 * 1024;

/** Throws StreamSourceError. */
export async function readBoundedFile(path: string): Promise<Buffer> {
  try {
    // Not blocking: opening a pipe would wait for a writer.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) {
      const message = `${path} is no regular file but a folder, pipe or device. Replace it with the file of another node`;
      throw new StreamSourceError('unreadable', path, message);
    }
    if (stats.size > maxStreamFileSize) throw tooLarge(path, `${stats.size} bytes`);
    return await readAll(file, path, stats.size);
  } catch (error) {
    if (error instanceof StreamSourceError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new StreamSourceError('missing', path, `${path} does not exist`);
    throw new StreamSourceError('unreadable', path, `${path} cannot be read: ${message}`);
  }
}

// A size is only what a file has now, and files that a system makes up say 0: what is read is bounded, not what is said.
async function readAll(file: FileHandle, path: string, size: number): Promise<Buffer> {
  let bytes: Buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
    if (length > maxStreamFileSize) throw tooLarge(path, 'more');
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
  }
}

export function tooLarge(path: string, found: string): StreamSourceError {
  const message = `${path} has ${found}; stream files have at most ${maxStreamFileSize}. Remove it or replace it with the copy of another node`;
  return new StreamSourceError('tooLarge', path, message);
}
