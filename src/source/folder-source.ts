// Stream files in a folder, in the layouts of the networks' buckets. Works while a writer is at work: files that appear
// are found by notice or within half a second, and a group is not handed out before enough of it is there.
import { join } from 'node:path';
import { findBlockFile } from './find-block-file.ts';
import { createGroupQueue } from './group-queue.ts';
import { findNodeFolders } from './node-folders.ts';
import { readBoundedFile } from './read-bounded-file.ts';
import {
  type GroupsOptions,
  type StreamFileCopy,
  type StreamFileGroup,
  type StreamSource,
  StreamSourceError,
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
  async function* groups(options: GroupsOptions): AsyncGenerator<StreamFileGroup> {
    const { live, isEnough, signal } = options;
    const queue = createGroupQueue(options.after);
    const folders = new Map<string, WatchedFolder & { add(names: string[]): void }>();
    const change = createChangeSignal(signal);
    let nodesFoundAtMs = Number.NEGATIVE_INFINITY;
    let waitingSinceMs: number | null = null;
    let explainedAtMs = Number.NEGATIVE_INFINITY;

    async function refresh(): Promise<void> {
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
        let group = queue.first();
        while (group && !signal?.aborted) {
          if (live && !isComplete(group)) {
            waitingSinceMs ??= performance.now();
            const overtaken = queue.some((later) => later !== group && isComplete(later));
            if (!overtaken || performance.now() - waitingSinceMs < patienceMs) break;
          }
          waitingSinceMs = null;
          queue.removeFirst();
          yield group;
          group = queue.first();
        }
        if (queue.neverFilled() && performance.now() - explainedAtMs >= findNodesEveryMs) {
          await explainNothing(path, live);
          explainedAtMs = performance.now();
        }
        if (!live) return;
        await change.wait(pollMs);
      }
    } finally {
      for (const folder of folders.values()) folder.close();
      change.close();
    }

    function isComplete(group: StreamFileGroup): boolean {
      return group.copies.some((copy) => copy.recordName !== null) && isEnough(group);
    }
  }

  return {
    description: path,
    groups,
    read: async (copy, file) => readBoundedFile(toPath(copy, file)),
  };
}

function toPath(copy: StreamFileCopy, file: Parameters<StreamSource['read']>[1]): string {
  if (file.kind === 'sidecar') return join(copy.location, 'sidecar', file.name);
  const name = file.kind === 'record' ? copy.recordName : copy.signatureName;
  if (name !== null) return join(copy.location, name);
  throw new StreamSourceError('missing', copy.location, `${copy.location} has no ${file.kind} file of this moment`);
}

// Live, an empty folder is only a network that has not begun; block files without record files never become any.
async function explainNothing(path: string, live: boolean): Promise<void> {
  const blockFile = await findBlockFile(path);
  if (blockFile) {
    const message = `the network moved to block streams; ${path} holds block files (${blockFile}) and no record files, and this version reads record files v1 to v6 only. Point the source at a folder with record files, or update the mirror`;
    throw new StreamSourceError('blockStreams', path, message);
  }
  if (live) return;
  const message = `${path} holds no record files. Expected recordstreams/record0.0.3/….rcd_sig or <network>/<shard>/<node>/record/….rcd_sig in it or in the folder "streams" below it; check the path`;
  throw new StreamSourceError('noStreamFiles', path, message);
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
