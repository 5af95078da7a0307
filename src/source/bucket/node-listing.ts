// The names in one node's folder of a bucket, page by page from a moment on: what is behind it is never listed, and what is ahead
// only as far as it is asked for.
import { formatInstant } from '../../protocol/hapi/timestamp.ts';
import type { AskedStore } from './ask-again.ts';
import type { ListedPage } from './object-store.ts';

export type NodeListing = {
  /** The next page. */
  next(signal?: AbortSignal): Promise<ListedPage['objects']>;
  /** The next page is the first one after this moment, ns; null = the first of all. */
  restart(after: bigint | null): void;
  /** Whether names may come with the next page that belong to this instant, or to an earlier one. */
  isBefore(instant: string): boolean;
  /** Whether there was more behind the last page, or none was asked for. */
  hasMore(): boolean;
};

/** Length of `2022-07-13T08_46_11`: names of one second do not sort by time where their fractions differ in length. */
const secondLength = 19;

/** @param prefix of the folder, with `/` at its end */
export function createNodeListing(
  store: AskedStore,
  prefix: string,
  from: bigint | null,
  { most }: { most?: number } = {},
): NodeListing {
  let after = startOf(from);
  let hasMore = true;
  let listedTo = '';

  /** A second's start stands before all of its names. */
  function startOf(moment: bigint | null): string | null {
    return moment === null ? null : prefix + formatInstant(moment).slice(0, secondLength);
  }

  return {
    async next(signal) {
      // Sidecars lie in a folder of the node's: it is told as one name.
      const page = await store.list({ prefix, after, folders: true, ...(most && { most }) }, signal);
      const last = page.objects.at(-1)?.key;
      hasMore = page.hasMore && last !== undefined;
      if (last !== undefined) {
        after = last;
        listedTo = last.slice(prefix.length);
      }
      return page.objects;
    },
    restart(moment) {
      after = startOf(moment);
      hasMore = true;
      listedTo = '';
    },
    isBefore: (instant) => hasMore && listedTo.slice(0, secondLength) <= instant.slice(0, secondLength),
    hasMore: () => hasMore,
  };
}
