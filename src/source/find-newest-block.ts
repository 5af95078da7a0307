// The instant of the block with the highest number in a folder: whether the network writes, whatever becomes of its files.
// Lists whole folders, so it is not for every second.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readBlock } from '../protocol/block-stream/block.ts';
import { unpackBlockFile } from '../protocol/block-stream/unpack-block-file.ts';
import { StreamFileError } from '../protocol/stream-file-error.ts';
import { createBlockFolders } from './block-folders.ts';
import { readBoundedFile } from './read-bounded-file.ts';

/** Consensus time of its header, ns; null where there is no block. Throws StreamSourceError. */
export async function findNewestBlockInstant(path: string): Promise<bigint | null> {
  const blocks = createBlockFolders(path, { live: false, onChange() {}, pollMs: 0 });
  try {
    await blocks.refresh();
    const file = await blocks.findLast();
    if (!file) return null;
    const path = join(file.location, file.name);
    // It may be the one that the import stays at, and was written all the same: the file itself says when.
    return readBlockInstant(await readBoundedFile(path)) ?? BigInt(Math.floor((await stat(path)).mtimeMs)) * 1_000_000n;
  } finally {
    blocks.close();
  }
}

/** Consensus time of a block's header, ns; null where the bytes are no block. */
export function readBlockInstant(bytes: Buffer): bigint | null {
  try {
    return readBlock(unpackBlockFile(bytes)).timestamp;
  } catch (error) {
    if (!(error instanceof StreamFileError)) throw error;
    return null;
  }
}
