// Polls a bucket: names are listed from the reader's position on, a page of each node at a time and only as far as
// needed; objects are fetched before they are read.
import type { PlaceView, ViewOptions } from '../follow.ts';
import type { StreamFileGroup, StreamUnit } from '../stream-source.ts';
import type { AskedStore } from './ask-again.ts';
import type { BucketBlocks } from './bucket-blocks.ts';
import type { FetchAhead, WantedObject } from './fetch-ahead.ts';
import type { BucketPlaces } from './find-places.ts';
import { createNodeListing, type NodeListing } from './node-listing.ts';

export type BucketViewOptions = ViewOptions & {
  store: AskedStore;
  blocks: BucketBlocks;
  ahead: FetchAhead;
  keyOf: KeyOf;
  /** Places found, at most this old. */
  findPlaces(withinMs: number): Promise<BucketPlaces>;
  /** While there are no nodes. */
  pollMs: number;
};

/** A location is `s3://bucket/…`, without `/` at its end unless it is the bucket. */
export type KeyOf = (location: string, ...names: string[]) => string;

export function createKeyOf(root: string): KeyOf {
  return (location, ...names) => [location.slice(root.length), ...names].filter((part) => part !== '').join('/');
}

/** Groups and blocks whose objects may be fetched before they are read. */
const maxAhead = 64;
/** How often to look for new nodes, and for blocks after the last record file. */
export const findPlacesEveryMs = 60_000;

type Node = { listing: NodeListing; add(objects: readonly WantedObject[]): void };

export function openBucketView(options: BucketViewOptions): PlaceView {
  const { store, blocks, ahead, keyOf, findPlaces, pollMs, queue, position, signal } = options;
  const nodes = new Map<string, Node>();
  /** Of the objects in the queue. */
  const sizes = new Map<string, number>();
  let unread: { timestamp: bigint; wanted: WantedObject[] }[] = [];

  function addNode({ node, path }: BucketPlaces['nodes'][number]): void {
    if (nodes.has(path)) return;
    nodes.set(path, {
      listing: createNodeListing(store, `${path}/`, position()?.timestamp ?? null),
      add(objects) {
        for (const { key, sizeBytes } of objects) sizes.set(key, sizeBytes);
        const names = objects.map(({ key }) => key.slice(path.length + 1));
        queue.add(node, `${store.name}/${path}`, names);
      },
    });
  }

  /** Nodes whose next page may have more of the first group, or of an earlier one. */
  function behind(): Node[] {
    const first = queue.first();
    return [...nodes.values()].filter(({ listing }) => (first ? listing.isBefore(first.instant) : listing.hasMore()));
  }

  async function list(following: readonly Node[]): Promise<void> {
    const pages = await Promise.all(following.map(({ listing }) => listing.next(signal)));
    // In the order of nodes, whichever listing came first.
    for (const [index, { add }] of following.entries()) add(pages[index]!);
  }

  /** Signatures of all nodes, and the record file of the first; the others' are read only if that one is bad. */
  function wantedOf(group: StreamFileGroup): WantedObject[] {
    const keys = group.copies.flatMap(({ location, signatureName: name }) =>
      name === null ? [] : [keyOf(location, name)],
    );
    const first = group.copies.find((copy) => copy.recordName !== null && copy.signatureName !== null);
    if (first) keys.push(keyOf(first.location, first.recordName!));
    return keys.map((key) => ({ key, sizeBytes: sizes.get(key) ?? 0 }));
  }

  function followingBlocks(unit: StreamUnit, nextBlock: bigint | null): WantedObject[] {
    const number = unit.kind === 'block' ? unit.block.number : nextBlock;
    if (number === null) return [];
    return blocks
      .following(number, maxAhead)
      .map(({ location, name, sizeBytes }) => ({ sizeBytes, key: keyOf(location, name) }));
  }

  function forget({ copies }: StreamFileGroup): void {
    for (const { location, recordName, signatureName } of copies) {
      for (const name of [recordName, signatureName]) if (name !== null) sizes.delete(keyOf(location, name));
    }
  }

  return {
    blocks,
    isBehind: () => behind().length > 0,
    async refresh() {
      const known = await findPlaces(nodes.size === 0 ? pollMs : findPlacesEveryMs);
      if (position()?.onlyBlocks) return;
      for (const folder of known.nodes) addNode(folder);
      if (behind().length === 0) {
        // All names were seen: continue with new ones and late ones.
        for (const { listing } of nodes.values()) listing.restart(position()?.timestamp ?? null);
        sizes.clear();
      }
      await list(behind());
    },
    onUnit(unit) {
      const at = position();
      unread = unread.filter(({ timestamp }) => at === null || timestamp > at.timestamp).slice(-maxAhead);
      if (unit.kind === 'record') {
        unread.push({ timestamp: unit.group.timestamp, wanted: wantedOf(unit.group) });
        forget(unit.group);
      }
      ahead.want([
        ...unread.flatMap(({ wanted }) => wanted),
        ...queue.upcoming(maxAhead).flatMap(wantedOf),
        ...followingBlocks(unit, at?.nextBlock ?? null),
      ]);
    },
    close: ahead.close,
  };
}
