// The newest block and the newest record file in a folder: whether the network writes, imported or not. Lists whole
// folders, so not for every second.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeMessage } from '../protocol/hapi/decode-message.ts';
import { proto } from '../protocol/hapi/hapi.ts';
import { parseInstant, toTimestamp } from '../protocol/hapi/timestamp.ts';
import { StreamFileError } from '../protocol/stream-file-error.ts';
import { itemKinds } from '../streams/block-stream/block-item.ts';
import type { BlockLimits } from '../streams/block-stream/block-limits.ts';
import { blockMessages } from '../streams/block-stream/block-messages.ts';
import { readBlockItems } from '../streams/block-stream/read-block-items.ts';
import { createBlockFolders } from './block-folders.ts';
import { blockFileLimit } from './file-limit.ts';
import { findNodeFolders } from './node-folders.ts';
import { readFileParts } from './read-bounded-file.ts';

/** Consensus time of its header, ns; null if there is no block. Throws StreamSourceError. */
export async function findNewestBlockInstant(path: string, limits: BlockLimits): Promise<bigint | null> {
  const blocks = createBlockFolders(path, { live: false, onChange() {}, pollMs: 0 });
  try {
    await blocks.refresh();
    const file = await blocks.findLast();
    if (!file) return null;
    const path = join(file.location, file.name);
    // The import may have stopped at it, but it was written: the file itself has the time.
    const instant = await readBlockInstant(() => readFileParts(path, blockFileLimit(limits)), limits);
    return instant ?? BigInt(Math.floor((await stat(path)).mtimeMs)) * 1_000_000n;
  } finally {
    blocks.close();
  }
}

/** Consensus time of a block's header, ns; null if the bytes are not a block. */
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

const instantInName = /^\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d(?:[.,]\d{1,9})?Z/;

/** Of the newest file of any node, by its name, ns; null if there is no file. */
export async function findNewestFileInstant(path: string): Promise<bigint | null> {
  let newest: string | null = null;
  for (const folder of await findNodeFolders(path)) {
    for (const name of await readdir(folder.path)) {
      const instant = instantInName.exec(name)?.[0];
      // Instants in names sort as text.
      if (instant !== undefined && (newest === null || instant > newest)) newest = instant;
    }
  }
  return newest === null ? null : parseInstant(newest.replace(',', '.'));
}
