// One stream file of a folder: the block, or the record file with the other nodes' copies and signatures. Other files
// of the folder are read only if the check needs them.
import { basename, dirname, resolve } from 'node:path';
import type { BlockLimits } from '../streams/block-stream/block-limits.ts';
import { parseStreamFileName } from '../streams/record-stream/stream-file-name.ts';
import { parseBlockName } from './block-name.ts';
import { createFolderSource } from './folder-source.ts';
import { type StreamPosition, type StreamSource, StreamSourceError } from './stream-source.ts';

/** Throws StreamSourceError for a name that is neither. */
export function createSingleFileSource(file: string, blockLimits: BlockLimits): StreamSource {
  const path = resolve(file);
  const name = basename(path);
  const number = parseBlockName(name);
  if (number !== null) {
    const block = { number, name, location: dirname(path) };
    return {
      ...createFolderSource({ path: dirname(path), blockLimits }),
      description: file,
      async *units() {
        yield { kind: 'block', block };
      },
    };
  }
  const instant = parseStreamFileName(name)?.timestamp;
  if (instant === undefined) {
    const message = `${file} has the name neither of a record file (<instant>.rcd.gz) nor of a block (<number>.blk.gz)`;
    throw new StreamSourceError('noStreamFiles', file, message);
  }
  const folder = createFolderSource({ path: aboveNodes(dirname(path)) });
  return {
    ...folder,
    description: file,
    async *units(options) {
      const before: StreamPosition = { timestamp: instant - 1n, nextBlock: null, onlyBlocks: false };
      for await (const unit of folder.units({ ...options, live: false, position: () => before })) {
        if (unit.kind === 'record' && unit.group.timestamp === instant) yield unit;
        return;
      }
    },
  };
}

/** `recordstreams/record0.0.3` and `<network>/<shard>/<node>/record`: the folder with all nodes. */
function aboveNodes(nodeFolder: string): string {
  return basename(nodeFolder) === 'record' ? dirname(dirname(dirname(nodeFolder))) : dirname(nodeFolder);
}
