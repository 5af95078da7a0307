// The names in one folder, listed in full once and then followed: by the operating system's notifications, or by
// listing again if the folder has changed without one. Folders hold 100,000 files and more, so a listing is expensive.
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPresent } from './enter-folder.ts';

export type WatchedFolder = ReturnType<typeof createWatchedFolder>;

/** Notifications can be lost: a folder that changes is listed again after this long at the latest. */
const relistAfterMs = 30_000;
const freshMs = 1_000;

export function createWatchedFolder(path: string, options: { live: boolean; onChange(): void }) {
  let noticed = new Set<string>();
  let watcher: FSWatcher | null = null;
  let listed = false;
  let listedMtimeMs = Number.NaN;
  let seenMtimeMs = Number.NaN;
  let silentMtimeMs = Number.NaN;
  let listedAtMs = 0;

  function startWatching(): void {
    try {
      watcher = watch(path, { persistent: false }, (_event, name) => {
        if (name !== null) noticed.add(name);
        options.onChange();
      });
      watcher.on('error', stopWatching);
    } catch {
      watcher = null; // No notifications on this file system, or no watch left: polling finds the files too.
    }
  }

  function stopWatching(): void {
    watcher?.close();
    watcher = null;
  }

  async function list(mtimeMs: number): Promise<string[]> {
    noticed = new Set();
    // A file within the clock's resolution does not change the modification time: a recently changed folder is listed
    // again.
    listedMtimeMs = Date.now() - mtimeMs < freshMs ? Number.NaN : mtimeMs;
    seenMtimeMs = mtimeMs;
    listedAtMs = performance.now();
    const names = await readdir(path);
    listed = true;
    return names;
  }

  /** Whether the folder changed and no notification came by the second of two polls. */
  function changedSilently(mtimeMs: number): boolean {
    const silent = mtimeMs !== seenMtimeMs && noticed.size === 0;
    const again = silent && mtimeMs === silentMtimeMs;
    silentMtimeMs = silent ? mtimeMs : Number.NaN;
    return again;
  }

  if (options.live) startWatching();
  return {
    /** Names that are new since the last call; all of them at the first one. A name may come twice. */
    async newNames(): Promise<string[]> {
      try {
        const { mtimeMs } = await stat(path);
        const changed = mtimeMs !== listedMtimeMs;
        if (!listed || (!watcher && changed)) return await list(mtimeMs);
        const stale = changed && performance.now() - listedAtMs > relistAfterMs;
        if (changedSilently(mtimeMs) || stale) return await list(mtimeMs);
        if (noticed.size > 0) seenMtimeMs = mtimeMs;
        const names = [...noticed];
        noticed = new Set();
        // Removed files cause notifications too.
        const present = await Promise.all(names.map((name) => isPresent(join(path, name))));
        return names.filter((_name, index) => present[index]);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
    close: stopWatching,
  };
}
