// The names in one node's folder of a bucket, page by page from a moment on: earlier names are never listed, later ones
// only as far as they are asked for.
import { formatInstant } from '../../protocol/hapi/timestamp.ts';
import { parseStreamFileName } from '../../streams/record-stream/stream-file-name.ts';
import type { AskedStore } from './ask-again.ts';
import type { BucketPlaces } from './find-places.ts';
import type { ListedPage } from './object-store.ts';

export type NodeListing = ReturnType<typeof createNodeListing>;

/** Length of `2022-07-13T08_46_11`: names of one second do not sort by time where their fractions differ in length. */
const secondLength = 19;

/** @param prefix of the folder, with `/` at its end */
export function createNodeListing(
  store: AskedStore,
  prefix: string,
  from: bigint | null,
  { max }: { max?: number } = {},
) {
  let after = startOf(from);
  let hasMore = true;
  let listedTo = '';

  /** The start of a second sorts before all of its names. */
  function startOf(moment: bigint | null): string | null {
    return moment === null ? null : prefix + formatInstant(moment).slice(0, secondLength);
  }

  return {
    /** The next page. */
    async next(signal?: AbortSignal): Promise<ListedPage['objects']> {
      // The folder of sidecars is listed as one name.
      const page = await store.list({ prefix, after, folders: true, ...(max && { max }) }, signal);
      const last = page.objects.at(-1)?.key;
      hasMore = page.hasMore && last !== undefined;
      if (last !== undefined) {
        after = last;
        listedTo = last.slice(prefix.length);
      }
      return page.objects;
    },
    /** The next page is the first one after this moment, ns; null = the first of all. */
    restart(moment: bigint | null): void {
      after = startOf(moment);
      hasMore = true;
      listedTo = '';
    },
    /** Whether the next page may have names of this instant, or of an earlier one. */
    isBefore: (instant: string) => hasMore && listedTo.slice(0, secondLength) <= instant.slice(0, secondLength),
    /** Whether more followed the last page, or none was asked for. */
    hasMore: () => hasMore,
  };
}

type Node = BucketPlaces['nodes'][number];

/** A node may be down: this many are asked. */
const maxNodes = 3;
const minuteNs = 60_000_000_000n;
/** Minutes back from now; the first finds live networks. */
const probes = [2n, 60n, 1_440n, 43_200n, 525_600n, 10_512_000n];
/** Below this the names themselves are read: about a page of a node that writes every two seconds. */
const closeEnoughNs = 15n * minuteNs;

/**
 * The newest file of the nodes, by the instant in its name, ns; null if there is none. Names can only be listed
 * forwards, so a bisection with one name a request narrows down the moment after which nothing lies.
 */
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
    (await createNodeListing(store, prefix, moment, { max: 1 }).next()).length > 0;
  const now = BigInt(Date.now()) * 1_000_000n;
  /** Something is later than `from`; nothing is later than `to`, if known. */
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
