// A block file of a source → block, or the problem as a StreamCheckError.

import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import { readStoredBlock } from '../../../packages/sources/read-stored-block.ts';
import { type StreamBlockFile, type StreamSource, StreamSourceError } from '../../../packages/sources/stream-source.ts';
import { type Block, toBlock } from '../../../packages/streams/block-stream/block.ts';
import { itemKinds } from '../../../packages/streams/block-stream/block-item.ts';
import { blockMessages } from '../../../packages/streams/block-stream/block-messages.ts';
import type { StoredBlock } from '../../../packages/streams/block-stream/read-block-items.ts';
import { failureOf, readPart, StreamCheckError } from './stream-check-error.ts';

export type ReadBlock = Omit<StoredBlock, 'items'> & { block: Block };

/** Throws StreamCheckError. */
export async function readBlockFile(source: StreamSource, file: StreamBlockFile): Promise<ReadBlock> {
  const { items, ...sizes } = await readItems(source, file);
  return readPart(file.name, () => ({ block: toBlock(items), ...sizes }));
}

/** The previous root that a block names. Throws StreamCheckError. */
export async function readPreviousRoot(source: StreamSource, file: StreamBlockFile): Promise<Buffer> {
  const { items } = await readItems(source, file, (kind) => kind === itemKinds.blockFooter);
  return readPart(file.name, () => {
    const [footer] = items;
    if (!footer) throw new StreamFileError('truncated', 'block', 'one block footer', 'none');
    return blockMessages.footer.decode(footer.content).previousBlockRootHash;
  });
}

/** @param keeps which kinds of items to keep; default all */
async function readItems(
  source: StreamSource,
  file: StreamBlockFile,
  keeps?: (kind: number) => boolean,
): Promise<StoredBlock> {
  try {
    return await readStoredBlock(source, file, keeps);
  } catch (error) {
    if (error instanceof StreamSourceError) {
      const code = error.code === 'missing' ? 'missing' : 'format';
      throw new StreamCheckError([failureOf(code, file.name, 'a readable file', error.message, { transient: true })]);
    }
    return readPart(file.name, () => {
      throw error;
    });
  }
}
