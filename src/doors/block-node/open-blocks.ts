// The bytes of blocks in pieces of whole items: from the kept file, else from the source. Small blocks are read once
// for all who ask at that time; few large ones are in work at once, each piece by piece. Clients (`currentClient`) take
// turns.
import { LRUCache } from 'lru-cache';
import { createClientLine } from '../../../packages/kit/shares/client-line.ts';
import { currentClient } from '../../../packages/kit/shares/current-client.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import { createSharedTurns } from '../../../packages/kit/shares/shared-turns.ts';
import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import { defaultBlockLimits, maxItemsOf } from '../../../packages/streams/block-stream/block-limits.ts';
import { type CutBlockOptions, cutBlock } from '../../../packages/streams/block-stream/cut-block.ts';
import type { BlockFiles, StoredBlock } from '../../ledger/blocks/create-block-files.ts';
import { BlockMissingError, type BlockSource } from './block-source.ts';

export type OpenBlocks = {
  /**
   * The iteration throws BlockMissingError, StreamFileError for another block than the stored one, errors of source and
   * database.
   */
  pieces(number: bigint, signal: AbortSignal): AsyncGenerator<Buffer>;
};

type Options = { files: Pick<BlockFiles, 'find' | 'keptParts'>; source: BlockSource | null; signal: AbortSignal };

type Small = { pieces: readonly Buffer[]; hasRedacted: boolean; sizeBytes: number };
type Place = { block: StoredBlock; from: 'kept' | 'source' };
type Found = Small | { large: Place; sizeBytes: 0 };

const maxSmallBytes = 4 * 1024 * 1024;
const smallLimits = { maxBlockBytes: maxSmallBytes, maxMessageBytes: maxSmallBytes };
/** Of small ones, for others who follow: every client at the head asks for the same. */
const keptBytes = 24 * 1024 * 1024;
const keptMs = 10_000;

export function createOpenBlocks({ files, source, signal: closing }: Options): OpenBlocks {
  const recent = new LRUCache<bigint, Found>({
    maxSize: keptBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes + 1,
    ttl: keptMs,
    ttlAutopurge: true,
  });
  const flights = createSharedTurns<Found>();
  // Streams are bounded, and each waits for one block at a time.
  const waiting = { count: Number.POSITIVE_INFINITY };
  const reading = createClientLine({ concurrent: doorShares.blockReads.places, waiting });
  const large = createClientLine({
    concurrent: doorShares.largeBlocks.places,
    waiting,
    // One that takes it as slowly as it likes leaves the others.
    perClient: { running: doorShares.largeBlocks.share },
  });
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

  async function share(number: bigint, signal: AbortSignal): Promise<Found> {
    const known = recent.get(number);
    if (known) return known;
    const client = currentClient();
    return flights.share(`${number}`, client, {
      async work() {
        const found = await find(number);
        recent.set(number, found);
        return found;
      },
      enter: (begin, left) => reading.pass(client, begin, { signal: AbortSignal.any([left, closing]) }),
      signal,
    });
  }

  return {
    async *pieces(number, signal) {
      const found = await share(number, signal);
      if ('pieces' in found) {
        yield* found.pieces;
        return;
      }
      const leave = await large.enter(currentClient(), { signal });
      try {
        yield* read(found.large, signal, { limits });
      } finally {
        leave();
      }
    },
  };
}
