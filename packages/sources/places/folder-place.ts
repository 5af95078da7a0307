import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../kit/sync-folder.ts';
import { StreamSourceError } from '../stream-source.ts';
import type { FilePlace, PlacedFile } from './file-place.ts';

/** Ends the name of a file that is being written. */
const unfinished = '.part';

export function createFolderPlace(folder: string): FilePlace {
  return {
    name: folder,
    async list() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
        throw unreadable(folder, error);
      });
      const found: PlacedFile[] = [];
      for (const entry of entries) {
        if (entry.isDirectory() || entry.name.endsWith(unfinished)) continue;
        const path = join(entry.parentPath, entry.name);
        const stats = await stat(path).catch(() => null);
        // Links to files count; devices and pipes may never end.
        if (!stats?.isFile()) continue;
        found.push({ path: relative(folder, path).split(sep).join('/'), sizeBytes: stats.size });
      }
      return found;
    },
    async *read(path, { signal } = {}) {
      const full = join(folder, path);
      try {
        yield* createReadStream(full, { highWaterMark: chunkBytes, ...(signal ? { signal } : {}) });
      } catch (error) {
        signal?.throwIfAborted();
        throw unreadable(full, error as Error);
      }
    },
    async write(path, bytes, signal) {
      const full = join(folder, path);
      await mkdir(dirname(full), { recursive: true });
      const part = `${full}${unfinished}`;
      try {
        await pipeline(bytes, createWriteStream(part, { flush: true }), ...(signal ? [{ signal }] : []));
      } catch (error) {
        // On a full disk it takes the room that the next attempt needs.
        await rm(part, { force: true });
        throw error;
      }
      await rename(part, full);
      syncFolder(dirname(full));
    },
    remove: (path) => rm(join(folder, path), { force: true }),
  };
}

const chunkBytes = 256 * 1024;

function unreadable(place: string, error: Error): StreamSourceError {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? new StreamSourceError('missing', place, `${place} does not exist`)
    : new StreamSourceError('unreadable', place, `${place} cannot be read: ${error.message}`);
}
