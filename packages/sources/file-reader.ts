// Reads stream files of a folder for a process that has nothing else to do meanwhile: small ones synchronously. Passing
// a read to Node's thread pool costs four times the read itself: with small files almost a quarter of an import. Slow
// storage (a share, a cold disk) is read by the thread pool, several files at a time.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Of a file that is read synchronously, bytes. */
const maxSmallSize = 256 * 1024;
/** A file in the page cache takes a hundredth of it. */
const slowMs = 1;
/** After a slow file, this many go to the thread pool; then the synchronous read is tried again. */
const filesInThreads = 32;

export type SmallFileReader = (path: string) => Buffer | null;

/** Returns the whole file, or null: then `readBoundedFile` has to read it. */
export function createSmallFileReader(clock = () => performance.now()): SmallFileReader {
  let leftToThreads = 0;
  return (path) => {
    if (leftToThreads > 0) {
      leftToThreads--;
      return null;
    }
    const sinceMs = clock();
    const bytes = readSmallFile(path);
    if (clock() - sinceMs > slowMs) leftToThreads = filesInThreads;
    return bytes;
  };
}

/** null: not this way. Any error occurs the other way too and is reported there. */
function readSmallFile(path: string): Buffer | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    // Files in /proc have the size 0.
    if (!stats.isFile() || stats.size === 0 || stats.size > maxSmallSize) return null;
    // One byte more than the size: a file that grows is left to the other way.
    const bytes = Buffer.allocUnsafe(stats.size + 1);
    return readSync(descriptor, bytes) === stats.size ? bytes.subarray(0, stats.size) : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
