// The newest file that nodes have left in a bucket, by the instant in its name: whether the network writes. Names can only be
// listed forwards, so the moment behind which nothing lies is closed in on, one name a request.
import { parseStreamFileName } from '../../protocol/record-stream/stream-file-name.ts';
import type { AskedStore } from './ask-again.ts';
import type { BucketPlaces } from './find-places.ts';
import { createNodeListing } from './node-listing.ts';

type Node = BucketPlaces['nodes'][number];

/** A node may be down: so many are asked. */
const maxNodes = 3;
const minuteNs = 60_000_000_000n;
/** How long ago, in minutes: live networks are found with the first. */
const probes = [2n, 60n, 1_440n, 43_200n, 525_600n, 10_512_000n];
/** Then the names themselves are read: about a page of a node that writes every two seconds. */
const closeEnoughNs = 15n * minuteNs;

/** ns; null where there is no record file. */
export async function findNewestInstant(store: AskedStore, nodes: readonly Node[]): Promise<bigint | null> {
  const found = await Promise.all(nodes.slice(0, maxNodes).map(({ path }) => newestOf(store, `${path}/`)));
  return found.reduce((newest, instant) => (newest === null || (instant ?? 0n) > newest ? instant : newest), null);
}

/** Whether a node has a record file or a signature that is later than this, ns. */
export async function hasNamesAfter(store: AskedStore, nodes: readonly Node[], timestamp: bigint): Promise<boolean> {
  const found = await Promise.all(
    nodes.map(async ({ path }) => {
      const objects = await createNodeListing(store, `${path}/`, timestamp).next();
      return objects.some(({ key }) => (instantOf(key) ?? timestamp) > timestamp);
    }),
  );
  return found.includes(true);
}

async function newestOf(store: AskedStore, prefix: string): Promise<bigint | null> {
  const isBehind = async (moment: bigint): Promise<boolean> =>
    (await createNodeListing(store, prefix, moment, { most: 1 }).next()).length > 0;
  const now = BigInt(Date.now()) * 1_000_000n;
  /** Something is later than `from`; nothing is later than `to`, where that is known. */
  let from: bigint | null = null;
  let to: bigint | null = null;
  for (const minutes of probes) {
    const moment = now - minutes * minuteNs;
    if (await isBehind(moment)) {
      from = moment;
      break;
    }
    to = moment;
  }
  while (from !== null && to !== null && to - from > closeEnoughNs) {
    const middle: bigint = (from + to) / 2n;
    if (await isBehind(middle)) from = middle;
    else to = middle;
  }
  const listing = createNodeListing(store, prefix, from);
  let newest: bigint | null = null;
  while (listing.hasMore()) {
    for (const { key } of await listing.next()) newest = instantOf(key) ?? newest;
  }
  return newest;
}

function instantOf(key: string): bigint | null {
  return parseStreamFileName(key.slice(key.lastIndexOf('/') + 1))?.timestamp ?? null;
}
