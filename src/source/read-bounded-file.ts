// Reads a stream file whole, and refuses files that no node would write.
import { open } from 'node:fs/promises';
import { StreamSourceError } from './stream-source.ts';

/** Largest stream file as stored, bytes. */
export const maxStreamFileSize = 50 * 1024 * 1024;

/** Throws StreamSourceError. */
export async function readBoundedFile(path: string): Promise<Buffer> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    if (size > maxStreamFileSize) {
      const message = `${path} has ${size} bytes; stream files have at most ${maxStreamFileSize}. Remove it or replace it with the copy of another node`;
      throw new StreamSourceError('tooLarge', path, message);
    }
    return await file.readFile();
  } catch (error) {
    if (error instanceof StreamSourceError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new StreamSourceError('missing', path, `${path} does not exist`);
    throw new StreamSourceError('unreadable', path, `${path} cannot be read: ${message}`);
  }
}
