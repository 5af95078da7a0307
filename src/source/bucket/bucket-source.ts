// Stream files in a bucket, in the layouts of the networks' buckets. Names are listed from the reader's position on, a page of
// each node at a time and no further than they are needed; what comes next is fetched before it is read.
import { type BlockLimits, defaultBlockLimits } from '../../protocol/block-stream/block-limits.ts';
import { createCopyChooser } from '../choose-copy.ts';
import { readBlockInstant } from '../find-newest-block.ts';
import { follow, type PlaceView, type ViewOptions } from '../follow.ts';
import { type TellPassedOver, tellOnce } from '../passed-over.ts';
import {
  type StreamFileCopy,
  type StreamFileGroup,
  type StreamSource,
  StreamSourceError,
  type StreamUnit,
} from '../stream-source.ts';
import type { AskedStore } from './ask-again.ts';
import { type BucketBlocks, createBucketBlocks } from './bucket-blocks.ts';
import { createFetchAhead, type WantedObject } from './fetch-ahead.ts';
import { findNewestInstant, hasNamesAfter } from './find-newest-instant.ts';
import { type BucketPlaces, findPlaces } from './find-places.ts';
import { createNodeListing, type NodeListing } from './node-listing.ts';

export type BucketSourceOptions = {
  store: AskedStore;
  /** Names begin with it; without `/` at its end. */
  prefix: string;
  blockLimits?: BlockLimits;
  /** Once for each thing in the bucket that cannot be part of the stream. */
  onPassedOver?: TellPassedOver;
  /** How often the bucket is asked for what is new: each time costs one listing a node. */
  pollMs: number;
  /** Of objects that were fetched and not yet read. */
  aheadBytes: number;
  /** How long missing files are waited for while later ones are complete. */
  missingTimeoutMs?: number;
};

/** Groups and blocks whose objects may be fetched before they are read. */
const maxAhead = 64;
/** New nodes, and blocks where record files end, are looked for this often. */
const findPlacesEveryMs = 60_000;

export function createBucketSource(options: BucketSourceOptions): StreamSource {
  const { store, prefix, blockLimits = defaultBlockLimits, pollMs, aheadBytes, missingTimeoutMs = 10_000 } = options;
  const onPassedOver = tellOnce(options.onPassedOver);
  const root = `${store.name}/`;
  const description = `${root}${prefix}`;
  const ahead = createFetchAhead(store, aheadBytes);
  let places: (BucketPlaces & { atMs: number }) | null = null;

  async function findAgain(afterMs: number, signal?: AbortSignal): Promise<BucketPlaces> {
    const isFresh = places !== null && performance.now() - places.atMs < afterMs;
    if (!isFresh) places = { ...(await findPlaces(store, prefix, { signal, onPassedOver })), atMs: performance.now() };
    return places!;
  }

  function blocksFinder(signal?: AbortSignal): BucketBlocks {
    return createBucketBlocks({ store, root: () => places?.blocks ?? null, freshMs: pollMs / 3, onPassedOver, signal });
  }
  const lookups = blocksFinder();

  function open({ queue, position, signal }: ViewOptions): PlaceView {
    const blocks = blocksFinder(signal);
    const nodes = new Map<string, { listing: NodeListing; add(objects: readonly WantedObject[]): void }>();
    /** Of the objects that the queue names. */
    const sizes = new Map<string, number>();
    let unread: { timestamp: bigint; wanted: WantedObject[] }[] = [];

    function addNode({ node, path }: BucketPlaces['nodes'][number]): void {
      if (nodes.has(path)) return;
      nodes.set(path, {
        listing: createNodeListing(store, `${path}/`, position()?.timestamp ?? null),
        add(objects) {
          for (const { key, sizeBytes } of objects) sizes.set(key, sizeBytes);
          const names = objects.map(({ key }) => key.slice(path.length + 1));
          queue.add(node, root + path, names);
        },
      });
    }

    /** Nodes whose next page may say more of the first group, or of an earlier one. */
    function behind() {
      const first = queue.first();
      return [...nodes.values()].filter(({ listing }) => (first ? listing.isBefore(first.instant) : listing.hasMore()));
    }

    async function list(following: ReturnType<typeof behind>): Promise<void> {
      const pages = await Promise.all(following.map(({ listing }) => listing.next(signal)));
      // In the order of nodes, whichever listing came first.
      for (const [index, { add }] of following.entries()) add(pages[index]!);
    }

    return {
      blocks,
      isBehind: () => behind().length > 0,
      async refresh() {
        const known = await findAgain(nodes.size === 0 ? pollMs : findPlacesEveryMs, signal);
        if (position()?.onlyBlocks) return;
        for (const folder of known.nodes) addNode(folder);
        if (behind().length === 0) {
          // Everything was seen: from here on, for what is new and for what came late.
          for (const { listing } of nodes.values()) listing.restart(position()?.timestamp ?? null);
          sizes.clear();
        }
        await list(behind());
      },
      onUnit(unit) {
        const at = position();
        unread = unread.filter(({ timestamp }) => at === null || timestamp > at.timestamp).slice(-maxAhead);
        if (unit.kind === 'record') {
          unread.push({ timestamp: unit.group.timestamp, wanted: wantedOf(unit.group, sizes) });
          forget(unit.group);
        }
        ahead.want([
          ...unread.flatMap(({ wanted }) => wanted),
          ...queue.upcoming(maxAhead).flatMap((group) => wantedOf(group, sizes)),
          ...followingBlocks(unit, at?.nextBlock ?? null),
        ]);
      },
      close: ahead.close,
    };

    function followingBlocks(unit: StreamUnit, nextBlock: bigint | null): WantedObject[] {
      const number = unit.kind === 'block' ? unit.block.number : nextBlock;
      if (number === null) return [];
      return blocks.following(number, maxAhead).map((block) => ({ ...block, key: blockKey(block) }));
    }

    function forget({ copies }: StreamFileGroup): void {
      for (const copy of copies) {
        for (const name of [copy.recordName, copy.signatureName])
          if (name !== null) sizes.delete(keyOf(copy.location, name));
      }
    }
  }

  /** Signatures of all nodes, and the record file of the first: the others' are only read where that one is bad. */
  function wantedOf(group: StreamFileGroup, sizes: ReadonlyMap<string, number>): WantedObject[] {
    const keys = group.copies.flatMap(({ location, signatureName: name }) =>
      name === null ? [] : [keyOf(location, name)],
    );
    const first = group.copies.find((copy) => copy.recordName !== null && copy.signatureName !== null);
    if (first) keys.push(keyOf(first.location, first.recordName!));
    return keys.map((key) => ({ key, sizeBytes: sizes.get(key) ?? 0 }));
  }

  /** A location is `s3://bucket/…`, without `/` at its end unless it is the bucket. */
  function keyOf(location: string, ...names: string[]): string {
    return [location.slice(root.length), ...names].filter((part) => part !== '').join('/');
  }

  function blockKey({ location, name }: { location: string; name: string }): string {
    return keyOf(location, name);
  }

  function nothingThere(): StreamSourceError {
    const message = `${description} holds neither record files nor blocks. Expected recordstreams/record0.0.3/….rcd_sig or <network>/<shard>/<node>/record/….rcd_sig or block/0000/0000/….blk.zstd below it; check bucket and prefix`;
    return new StreamSourceError('noStreamFiles', description, message);
  }

  return {
    description,
    units: follow({ open, pollMs, missingTimeoutMs, onPassedOver, nothingThere }),
    async read(copy, file) {
      return ahead.take(toKey(copy, file));
    },
    async *readBlock(block) {
      yield await ahead.take(blockKey(block));
    },
    blockLimits,
    async findBlock(number) {
      await findAgain(findPlacesEveryMs);
      return lookups.find(number);
    },
    passOver: createCopyChooser(async (number) => {
      await findAgain(findPlacesEveryMs);
      return lookups.copies(number);
    }),
    async newestInstant() {
      const { nodes } = await findAgain(findPlacesEveryMs);
      const [record, block] = [await findNewestInstant(store, nodes), await newestBlockInstant()];
      return record === null || (block !== null && block > record) ? block : record;
    },
    async hasRecordsAfter(timestamp) {
      const { nodes } = await findAgain(findPlacesEveryMs);
      return hasNamesAfter(store, nodes, timestamp);
    },
  };

  async function newestBlockInstant(): Promise<bigint | null> {
    const block = await lookups.findLast();
    return block && readBlockInstant(() => readOnePart(blockKey(block)), blockLimits);
  }

  async function* readOnePart(key: string): AsyncGenerator<Buffer> {
    yield await store.get(key);
  }

  function toKey(copy: StreamFileCopy, file: Parameters<StreamSource['read']>[1]): string {
    if (file.kind === 'sidecar') return keyOf(copy.location, 'sidecar', file.name);
    const name = file.kind === 'record' ? copy.recordName : copy.signatureName;
    if (name !== null) return keyOf(copy.location, name);
    throw new StreamSourceError('missing', copy.location, `${copy.location} has no ${file.kind} file of this moment`);
  }
}
