// Stream files in a folder, in the layouts of the networks' buckets. Works while a writer is at work: files that appear
// are found by notice or within half a second, and a group is not handed out before enough of it is there.
import { join } from 'node:path';
import { parseInstant } from '../protocol/hapi/timestamp.ts';
import { createBlockFolders } from './block-folders.ts';
import { findNewestBlockInstant } from './find-newest-block.ts';
import { findNewestFileInstant } from './find-newest-file.ts';
import { createGroupQueue } from './group-queue.ts';
import { findNodeFolders } from './node-folders.ts';
import { readBoundedFile } from './read-bounded-file.ts';
import {
  type StreamBlockFile,
  type StreamFileCopy,
  type StreamFileGroup,
  type StreamSource,
  StreamSourceError,
  type StreamUnit,
  type UnitsOptions,
} from './stream-source.ts';
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts';

export type FolderSourceOptions = {
  path: string;
  /** How often to look for what no notice came for. */
  pollMs?: number;
  /** How long a group may stay short of files while later ones are complete. */
  patienceMs?: number;
};

/** New nodes are looked for this often while nothing waits for them. */
const findNodesEveryMs = 5_000;

export function createFolderSource({ path, pollMs = 500, patienceMs = 10_000 }: FolderSourceOptions): StreamSource {
  async function* units({ position, live, isEnough, quietMs, signal }: UnitsOptions): AsyncGenerator<StreamUnit> {
    const queue = createGroupQueue(position()?.timestamp ?? null);
    const folders = new Map<string, WatchedFolder & { add(names: string[]): void }>();
    const change = createChangeSignal(signal);
    const blocks = createBlockFolders(path, { live, onChange: change.notify, pollMs });
    let nodesFoundAtMs = Number.NEGATIVE_INFINITY;
    let waitingSinceMs: number | null = null;
    let handedOut = false;
    let unitAtMs = performance.now();

    async function refresh(): Promise<void> {
      await blocks.refresh();
      // A group that waits may wait for a node whose folder is new.
      const isWaiting = folders.size === 0 || queue.first() !== null;
      if (performance.now() - nodesFoundAtMs >= (isWaiting ? pollMs : findNodesEveryMs)) {
        for (const { node, path: folderPath } of await findNodeFolders(path)) {
          if (folders.has(folderPath)) continue;
          const folder = createWatchedFolder(folderPath, { live, onChange: change.notify });
          folders.set(folderPath, { ...folder, add: (names) => queue.add(node, folderPath, names) });
        }
        nodesFoundAtMs = performance.now();
      }
      const following = [...folders.values()];
      const names = await Promise.all(following.map((folder) => folder.newNames()));
      // In the order of nodes, whichever listing came first.
      for (const [index, folder] of following.entries()) folder.add(names[index]!);
    }

    try {
      while (!signal?.aborted) {
        await refresh();
        let unit = await nextUnit();
        while (unit && !signal?.aborted) {
          handedOut = true;
          waitingSinceMs = null;
          yield unit;
          unitAtMs = performance.now();
          unit = await nextUnit();
        }
        if (!live && !handedOut && queue.neverFilled() && !(await blocks.findFrom(0n))) throw nothingThere(path);
        if (!live || performance.now() - unitAtMs > (quietMs ?? Number.POSITIVE_INFINITY)) return;
        await change.wait(pollMs);
      }
    } finally {
      for (const folder of folders.values()) folder.close();
      blocks.close();
      change.close();
    }

    async function nextUnit(): Promise<StreamUnit | null> {
      const at = position();
      const group = at?.onlyBlocks ? null : queue.first();
      if (group) {
        const overtaken = !isComplete(group) && queue.some((later) => later !== group && isComplete(later));
        if (!live || isComplete(group) || (overtaken && hasWaited())) {
          queue.removeFirst();
          return { kind: 'record', group };
        }
      }
      const next = at?.nextBlock ?? null;
      // A group that is short of files may be one that the block takes the place of.
      const block = next === null ? (group ? null : await blocks.findFrom(0n)) : await blocks.find(next);
      if (block) return { kind: 'block', block };
      // A block is missing: handed out once it is sure, so that it can be said which.
      const later = next === null || group ? null : await blocks.findFrom(next);
      return later && (!live || hasWaited()) ? { kind: 'block', block: later } : null;
    }

    function hasWaited(): boolean {
      waitingSinceMs ??= performance.now();
      return performance.now() - waitingSinceMs >= patienceMs;
    }

    function isComplete(group: StreamFileGroup): boolean {
      return group.copies.some((copy) => copy.recordName !== null) && isEnough(group);
    }
  }

  async function findBlockBelow(number: bigint): Promise<StreamBlockFile | null> {
    const blocks = createBlockFolders(path, { live: false, onChange() {}, pollMs });
    try {
      await blocks.refresh();
      return await blocks.find(number);
    } finally {
      blocks.close();
    }
  }

  async function newestRecordInstant(): Promise<bigint | null> {
    const instant = await findNewestFileInstant(path);
    return instant === null ? null : parseInstant(instant.replace(',', '.'));
  }

  return {
    description: path,
    units,
    read: async (copy, file) => readBoundedFile(toPath(copy, file)),
    readBlock: async ({ location, name }) => readBoundedFile(join(location, name)),
    findBlock: findBlockBelow,
    async newestInstant() {
      const [record, block] = [await newestRecordInstant(), await findNewestBlockInstant(path)];
      return record === null || (block !== null && block > record) ? block : record;
    },
    hasRecordsAfter: async (timestamp) => ((await newestRecordInstant()) ?? timestamp) > timestamp,
  };
}

function toPath(copy: StreamFileCopy, file: Parameters<StreamSource['read']>[1]): string {
  if (file.kind === 'sidecar') return join(copy.location, 'sidecar', file.name);
  const name = file.kind === 'record' ? copy.recordName : copy.signatureName;
  if (name !== null) return join(copy.location, name);
  throw new StreamSourceError('missing', copy.location, `${copy.location} has no ${file.kind} file of this moment`);
}

function nothingThere(path: string): StreamSourceError {
  const message = `${path} holds neither record files nor blocks. Expected recordstreams/record0.0.3/….rcd_sig or <network>/<shard>/<node>/record/….rcd_sig or <number>.blk.gz in it or in the folders below it; check the path`;
  return new StreamSourceError('noStreamFiles', path, message);
}

function createChangeSignal(signal: AbortSignal | undefined) {
  let changed = false;
  let wake: (() => void) | null = null;
  const notify = (): void => {
    changed = true;
    wake?.();
  };
  signal?.addEventListener('abort', notify);
  return {
    notify,
    /** Until the next change, at most this long; a change since the last wait counts. */
    async wait(timeoutMs: number): Promise<void> {
      if (!changed && !signal?.aborted) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
        wake = null;
      }
      changed = false;
    },
    close: () => signal?.removeEventListener('abort', notify),
  };
}
