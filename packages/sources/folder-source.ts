// Stream files in a folder, in the layouts of the networks' buckets. New files are found by notification or within half
// a second.
import { join } from 'node:path';
import { type BlockLimits, defaultBlockLimits } from '../streams/block-stream/block-limits.ts';
import { type BlockFolders, createBlockFolders } from './block-folders.ts';
import { blockFileLimit } from './file-limit.ts';
import { createSmallFileReader, type SmallFileReader } from './file-reader.ts';
import { findNewestBlockInstant, findNewestFileInstant } from './find-newest.ts';
import { type FollowOptions, follow, type PlaceView, type ViewOptions } from './follow.ts';
import { findNodeFolders } from './node-folders.ts';
import { createCopyChooser, type TellPassedOver, tellOnce } from './passed-over.ts';
import { readBoundedFile, readFileParts } from './read-bounded-file.ts';
import { newerInstant, pathOfFile, type StreamSource, StreamSourceError } from './stream-source.ts';
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts';

export type FolderSourceOptions = {
  path: string;
  /** The process answers no queries, so that it may block while a file is read. */
  mayBlock?: boolean;
  blockLimits?: BlockLimits;
  /** Called once for each thing in the folder that cannot be part of the stream. */
  onPassedOver?: TellPassedOver;
} & Partial<Pick<FollowOptions, 'pollMs' | 'missingTimeoutMs'>>;

/** How often to look for new nodes while nothing waits for them. */
const findNodesEveryMs = 5_000;

export function createFolderSource({
  path,
  mayBlock = false,
  blockLimits = defaultBlockLimits,
  onPassedOver: tell,
  pollMs = 500,
  missingTimeoutMs = 10_000,
}: FolderSourceOptions): StreamSource {
  const onPassedOver = tellOnce(tell);
  const readSmallFile: SmallFileReader = mayBlock ? createSmallFileReader() : () => null;
  const blockLimit = blockFileLimit(blockLimits);
  const newestRecordInstant = (): Promise<bigint | null> => mapErrors(findNewestFileInstant(path));
  const units = follow({
    open: (options) => openFolderView(path, { ...options, pollMs, onPassedOver }),
    pollMs,
    missingTimeoutMs,
    onPassedOver,
    nothingThere: () => nothingThere(path),
  });
  return {
    description: path,
    async *units(options) {
      try {
        yield* units(options);
      } catch (error) {
        throw toSourceError(error, path);
      }
    },
    blockLimits,
    async read(copy, file, signal) {
      signal?.throwIfAborted();
      const path = join(copy.location, ...pathOfFile(copy, file));
      return readSmallFile(path) ?? readBoundedFile(path);
    },
    async *readBlock({ location, name }, signal) {
      const path = join(location, name);
      const bytes = readSmallFile(path);
      if (bytes) yield bytes;
      else yield* readFileParts(path, blockLimit, signal);
    },
    async findBlock(number, signal) {
      signal?.throwIfAborted();
      return lookAtBlocks((blocks) => blocks.find(number));
    },
    passOver: createCopyChooser((number) => lookAtBlocks((blocks) => blocks.copies(number))),
    async newestInstant() {
      return newerInstant(await newestRecordInstant(), await mapErrors(findNewestBlockInstant(path, blockLimits)));
    },
    hasRecordsAfter: async (timestamp) => ((await newestRecordInstant()) ?? timestamp) > timestamp,
  };

  async function lookAtBlocks<Found>(look: (blocks: BlockFolders) => Promise<Found>): Promise<Found> {
    const blocks = createBlockFolders(path, { live: false, onChange() {}, pollMs, onPassedOver });
    try {
      await mapErrors(blocks.refresh());
      return await mapErrors(look(blocks));
    } finally {
      blocks.close();
    }
  }

  function mapErrors<Found>(look: Promise<Found>): Promise<Found> {
    return look.catch((error: unknown) => {
      throw toSourceError(error, path);
    });
  }
}

type FolderViewOptions = ViewOptions & { pollMs: number; onPassedOver: TellPassedOver };

function openFolderView(path: string, { queue, live, onChange, pollMs, onPassedOver }: FolderViewOptions): PlaceView {
  const folders = new Map<string, WatchedFolder & { add(names: string[]): void }>();
  const blocks = createBlockFolders(path, { live, onChange, pollMs, onPassedOver });
  let nodesFoundAtMs = Number.NEGATIVE_INFINITY;

  async function findNodes(): Promise<void> {
    for (const { node, path: folderPath } of await findNodeFolders(path, onPassedOver)) {
      if (folders.has(folderPath)) continue;
      const folder = createWatchedFolder(folderPath, { live, onChange });
      const add = (names: string[]) => queue.add(node, folderPath, names);
      // One after the other, to bound memory: all folders of a backlog at once have many names.
      add(await folder.newNames());
      folders.set(folderPath, { ...folder, add });
    }
    nodesFoundAtMs = performance.now();
  }

  return {
    blocks,
    isNear: true,
    isBehind: () => false,
    async refresh() {
      await blocks.refresh();
      // A waiting group may need files of a node whose folder is new.
      const isWaiting = folders.size === 0 || queue.first() !== null;
      if (performance.now() - nodesFoundAtMs >= (isWaiting ? pollMs : findNodesEveryMs)) await findNodes();
      const following = [...folders.values()];
      const names = await Promise.all(following.map((folder) => folder.newNames()));
      // In the order of nodes, whichever listing came first.
      for (const [index, folder] of following.entries()) folder.add(names[index]!);
    },
    close() {
      for (const folder of folders.values()) folder.close();
      blocks.close();
    },
  };
}

/** For a folder that cannot be listed at the moment: a share that is away, or no free file handle. */
function toSourceError(error: unknown, path: string): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (typeof syscall !== 'string') return error;
  return new StreamSourceError(
    'unavailable',
    path,
    `${path} cannot be listed: ${message}. Check that all folders in it are there and may be read.`,
  );
}

function nothingThere(path: string): StreamSourceError {
  const message = `${path} holds neither record files nor blocks. Expected recordstreams/record0.0.3/….rcd_sig or <network>/<shard>/<node>/record/….rcd_sig or <number>.blk.gz in it or in the folders below it; check the path`;
  return new StreamSourceError('noStreamFiles', path, message);
}
