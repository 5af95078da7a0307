// The instant of the block with the highest number in a folder: whether the network writes, whatever becomes of its files.
// Lists whole folders, so it is not for every second.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { itemKinds } from '../protocol/block-stream/block-item.ts';
import type { BlockLimits } from '../protocol/block-stream/block-limits.ts';
import { blockMessages } from '../protocol/block-stream/block-messages.ts';
import { readBlockItems } from '../protocol/block-stream/read-block-items.ts';
import { decodeMessage } from '../protocol/hapi/decode-message.ts';
import { proto } from '../protocol/hapi/hapi.ts';
import { toTimestamp } from '../protocol/hapi/timestamp.ts';
import { StreamFileError } from '../protocol/stream-file-error.ts';
import { createBlockFolders } from './block-folders.ts';
import { blockFileLimit } from './file-limit.ts';
import { readFileParts } from './read-bounded-file.ts';

/** Consensus time of its header, ns; null where there is no block. Throws StreamSourceError. */
export async function findNewestBlockInstant(path: string, limits: BlockLimits): Promise<bigint | null> {
  const blocks = createBlockFolders(path, { live: false, onChange() {}, pollMs: 0 });
  try {
    await blocks.refresh();
    const file = await blocks.findLast();
    if (!file) return null;
    const path = join(file.location, file.name);
    // It may be the one that the import stays at, and was written all the same: the file itself says when.
    const instant = await readBlockInstant(() => readFileParts(path, blockFileLimit(limits)), limits);
    return instant ?? BigInt(Math.floor((await stat(path)).mtimeMs)) * 1_000_000n;
  } finally {
    blocks.close();
  }
}

/** Consensus time of a block's header, ns; null where the bytes are no block. */
export async function readBlockInstant(read: () => AsyncIterable<Buffer>, limits: BlockLimits): Promise<bigint | null> {
  try {
    const { items } = await readBlockItems(read, { limits, keeps: (kind) => kind === itemKinds.blockHeader });
    const [header] = items;
    if (!header) return null;
    return toTimestamp(decodeMessage(proto.Timestamp, blockMessages.header.decode(header.content).blockTimestamp));
  } catch (error) {
    if (!(error instanceof StreamFileError)) throw error;
    return null;
  }
}
