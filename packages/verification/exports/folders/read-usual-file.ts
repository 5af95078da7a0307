// A file of a folder of another owner: regular, no link, no larger than it may be.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Throws an Error that says what it is instead. */
export async function readUsualFile(path: string, maxBytes: number): Promise<Buffer> {
  // Without O_NONBLOCK opening a pipe would wait for its other end.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is no regular file');
    if (stat.size > maxBytes) throw new Error(`it has ${stat.size} bytes, at most ${maxBytes} are read`);
    const bytes = Buffer.alloc(stat.size);
    const { bytesRead } = await handle.read(bytes, 0, stat.size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
