// Stream files in a bucket, in the layouts of the networks' buckets.
import { type BlockLimits, defaultBlockLimits } from '../../streams/block-stream/block-limits.ts';
import { readBlockInstant } from '../find-newest.ts';
import { type FollowOptions, follow } from '../follow.ts';
import { createCopyChooser, type TellPassedOver, tellOnce } from '../passed-over.ts';
import { newerInstant, pathOfFile, type StreamSource, StreamSourceError } from '../stream-source.ts';
import type { AskedStore } from './ask-again.ts';
import { type BucketBlocks, createBucketBlocks } from './bucket-blocks.ts';
import { createKeyOf, findPlacesEveryMs, openBucketView } from './bucket-view.ts';
import { createFetchAhead } from './fetch-ahead.ts';
import { type BucketPlaces, findPlaces } from './find-places.ts';
import { findNewestInstant, hasNamesAfter } from './node-listing.ts';

export type BucketSourceOptions = {
  store: AskedStore;
  /** Names begin with it; without `/` at its end. */
  prefix: string;
  blockLimits?: BlockLimits;
  /** Called once for each thing in the bucket that cannot be part of the stream. */
  onPassedOver?: TellPassedOver;
  /** How often to look for new files: each time costs one listing a node. */
  pollMs: number;
  /** Of objects that were fetched and not yet read. */
  aheadBytes: number;
} & Partial<Pick<FollowOptions, 'missingTimeoutMs'>>;

export function createBucketSource(options: BucketSourceOptions): StreamSource {
  const { store, prefix, blockLimits = defaultBlockLimits, pollMs, aheadBytes, missingTimeoutMs = 10_000 } = options;
  const onPassedOver = tellOnce(options.onPassedOver);
  const description = `${store.name}/${prefix}`;
  const keyOf = createKeyOf(`${store.name}/`);
  const ahead = createFetchAhead(store, aheadBytes);
  let places: (BucketPlaces & { atMs: number }) | null = null;

  async function findAgain(withinMs = findPlacesEveryMs, signal?: AbortSignal): Promise<BucketPlaces> {
    const isFresh = places !== null && performance.now() - places.atMs < withinMs;
    if (!isFresh) places = { ...(await findPlaces(store, prefix, { signal, onPassedOver })), atMs: performance.now() };
    return places!;
  }

  function blocksFinder(signal?: AbortSignal): BucketBlocks {
    return createBucketBlocks({ store, root: () => places?.blocks ?? null, freshMs: pollMs / 3, onPassedOver, signal });
  }
  const lookups = blocksFinder();

  async function newestBlockInstant(): Promise<bigint | null> {
    const block = await lookups.findLast();
    if (!block) return null;
    async function* read(): AsyncGenerator<Buffer> {
      yield await store.get(keyOf(block!.location, block!.name));
    }
    return readBlockInstant(read, blockLimits);
  }

  return {
    description,
    units: follow({
      open(view) {
        const findPlaces = (withinMs: number) => findAgain(withinMs, view.signal);
        return openBucketView({ ...view, store, blocks: blocksFinder(view.signal), ahead, keyOf, findPlaces, pollMs });
      },
      pollMs,
      missingTimeoutMs,
      onPassedOver,
      nothingThere: () => nothingThere(description),
    }),
    read: async (copy, file, signal) => ahead.take(keyOf(copy.location, ...pathOfFile(copy, file)), signal),
    async *readBlock({ location, name }, signal) {
      yield await ahead.take(keyOf(location, name), signal);
    },
    blockLimits,
    async findBlock(number, signal) {
      await findAgain(findPlacesEveryMs, signal);
      return lookups.find(number, signal);
    },
    passOver: createCopyChooser(async (number) => {
      await findAgain();
      return lookups.copies(number);
    }),
    async newestInstant() {
      const { nodes } = await findAgain();
      return newerInstant(await findNewestInstant(store, nodes), await newestBlockInstant());
    },
    hasRecordsAfter: async (timestamp) => hasNamesAfter(store, (await findAgain()).nodes, timestamp),
  };
}

function nothingThere(description: string): StreamSourceError {
  const message = `${description} holds neither record files nor blocks. Expected recordstreams/record0.0.3/….rcd_sig or <network>/<shard>/<node>/record/….rcd_sig or block/0000/0000/….blk.zstd below it; check bucket and prefix`;
  return new StreamSourceError('noStreamFiles', description, message);
}
