// Reads stream files of a folder for a process that has nothing else to do meanwhile: small ones at once. Handing a read to
// Node's threads and back takes four times what it costs itself: with small files almost a quarter of an import. A place
// that makes wait (a share, a cold disk) is read by the threads, several files at a time.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Of a file that is read at once, bytes. */
const maxSmallSize = 256 * 1024;
/** A file in the memory of the system takes a hundredth of it. */
const slowMs = 1;
/** After a slow file; then it is tried again. */
const filesInThreads = 32;

export type SmallFileReader = (path: string) => Buffer | null;

/** Gives the file whole, or null: it is to be read by `readBoundedFile`. */
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

/** null: not this way. Whatever is wrong, the other way finds it too and says it. */
function readSmallFile(path: string): Buffer | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    // Files in /proc have the size 0.
    if (!stats.isFile() || stats.size === 0 || stats.size > maxSmallSize) return null;
    // With room for one byte more: one that grows is left to the other way.
    const bytes = Buffer.allocUnsafe(stats.size + 1);
    return readSync(descriptor, bytes) === stats.size ? bytes.subarray(0, stats.size) : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
