// The bytes of blocks in pieces of whole items: from the kept file, else from the source. Small blocks are read once for all who ask
// at that time; few large ones are in work at once, each piece by piece.
import { LRUCache } from 'lru-cache';
import { createGate } from '../../kit/gate.ts';
import { createInFlight } from '../../kit/share-in-flight.ts';
import type { BlockFiles, StoredBlock } from '../../ledger/blocks/create-block-files.ts';
import { defaultBlockLimits, maxItemsOf } from '../../protocol/block-stream/block-limits.ts';
import { type CutBlockOptions, cutBlock } from '../../protocol/block-stream/cut-block.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { BlockMissingError, type BlockSource } from './block-source.ts';

export type OpenBlocks = {
  /** The iteration throws BlockMissingError, StreamFileError for another block than the stored one, errors of source and database. */
  pieces(number: bigint, signal: AbortSignal): AsyncGenerator<Buffer>;
};

type Options = { files: Pick<BlockFiles, 'find' | 'keptParts'>; source: BlockSource | null; signal: AbortSignal };

type Small = { pieces: readonly Buffer[]; hasRedacted: boolean; sizeBytes: number };
type Place = { block: StoredBlock; from: 'kept' | 'source' };
type Found = Small | { large: Place; sizeBytes: 0 };

const maxSmallBytes = 4 * 1024 * 1024;
const smallLimits = { maxBlockBytes: maxSmallBytes, maxMessageBytes: maxSmallBytes };
/** Of small ones, for others who follow: whoever is at the head asks for the same. */
const keptBytes = 24 * 1024 * 1024;
const keptMs = 10_000;
/** Small ones that are read at once, and large ones that are sent, of which one may be at a large item. */
const maxReading = 4;
const maxLarge = 2;

export function createOpenBlocks({ files, source, signal: closing }: Options): OpenBlocks {
  const recent = new LRUCache<bigint, Found>({
    maxSize: keptBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes + 1,
    ttl: keptMs,
    ttlAutopurge: true,
  });
  const flights = createInFlight<Found>();
  const [reading, large, largeItem] = [createGate(maxReading), createGate(maxLarge), createGate(1)];
  const limits = source?.limits ?? defaultBlockLimits;
  const maxItems = maxItemsOf(limits);

  function read(
    { block, from }: Place,
    signal: AbortSignal,
    options: Pick<CutBlockOptions, 'limits' | 'maxItems' | 'onRedacted'>,
  ): AsyncGenerator<Buffer> {
    const stored = from === 'kept' ? files.keptParts(block) : source!.parts(block.number, signal);
    const { number, root } = block;
    return cutBlock(stored, { number, root, ...options });
  }

  async function readSmall(place: Place): Promise<Found> {
    const small = { pieces: [] as Buffer[], hasRedacted: false, sizeBytes: 0 };
    const onRedacted = (): void => {
      small.hasRedacted = true;
    };
    try {
      for await (const piece of read(place, closing, { limits: smallLimits, maxItems, onRedacted })) {
        small.sizeBytes += piece.length;
        small.pieces.push(piece);
      }
      return small;
    } catch (error) {
      if (error instanceof StreamFileError && error.problem === 'tooLarge') return { large: place, sizeBytes: 0 };
      throw error;
    }
  }

  /** What was left out of a kept block stands in that of the source. */
  async function find(number: bigint): Promise<Found> {
    const block = await files.find(number);
    if (!block) throw new BlockMissingError(number);
    const kept = block.isKept ? await readSmall({ block, from: 'kept' }) : null;
    if (kept && (!source || 'large' in kept || !kept.hasRedacted)) return kept;
    if (!source) throw new BlockMissingError(number);
    try {
      return await readSmall({ block, from: 'source' });
    } catch (error) {
      if (kept) return kept;
      throw error;
    }
  }

  async function share(number: bigint): Promise<Found> {
    const known = recent.get(number);
    if (known) return known;
    return flights.share(`${number}`, () =>
      reading.pass(async () => {
        const found = await find(number);
        recent.set(number, found);
        return found;
      }, closing),
    );
  }

  return {
    async *pieces(number, signal) {
      const found = await share(number);
      if ('pieces' in found) {
        yield* found.pieces;
        return;
      }
      const leave = await large.enter(signal);
      try {
        for await (const piece of read(found.large, signal, { limits })) {
          // Its message and what is written of it are as large.
          const leaveItem = piece.length > maxSmallBytes ? await largeItem.enter(signal) : null;
          try {
            yield piece;
          } finally {
            leaveItem?.();
          }
        }
      } finally {
        leave();
      }
    },
  };
}
