// A block file of a source → its items, within the source's limits.
import { defaultBlockLimits } from '../streams/block-stream/block-limits.ts';
import { readBlockItems, type StoredBlock } from '../streams/block-stream/read-block-items.ts';
import type { StreamBlockFile, StreamSource } from './stream-source.ts';

/**
 * Throws StreamFileError, StreamSourceError.
 * @param keeps which kinds of items to keep; default all
 */
export function readStoredBlock(
  source: Pick<StreamSource, 'readBlock' | 'blockLimits'>,
  file: StreamBlockFile,
  keeps?: (kind: number) => boolean,
  signal?: AbortSignal,
): Promise<StoredBlock> {
  const limits = source.blockLimits ?? defaultBlockLimits;
  return readBlockItems(() => source.readBlock(file, signal), { limits, ...(keeps && { keeps }) });
}
