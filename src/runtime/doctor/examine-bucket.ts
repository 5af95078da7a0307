// How `doctor` checks a bucket: one listing and one object, so that the failing request shows what is missing.
import { askAgain } from '../../../packages/sources/bucket/ask-again.ts';
import { createBucketSource } from '../../../packages/sources/bucket/bucket-source.ts';
import { findPlaces } from '../../../packages/sources/bucket/find-places.ts';
import type { BucketPlace } from '../../../packages/sources/source-places.ts';
import type { StreamSource } from '../../../packages/sources/stream-source.ts';
import { openBucket, type SourceOptions } from '../sources/open-source.ts';

export type ExaminedBucket = {
  source: StreamSource;
  /** How the bucket was asked, and what following it costs. */
  found: string;
};

/** Throws a StreamSourceError that says what is missing, and what to do. */
export async function examineBucket(place: BucketPlace, options: SourceOptions): Promise<ExaminedBucket> {
  const bucket = openBucket(place, options);
  const store = askAgain(bucket, { ...options, maxAttempts: 2 });
  const { prefix } = place;
  const { nodes, blocks } = await findPlaces(store, prefix);
  const source = createBucketSource({ ...options, store, prefix });
  if (nodes.length === 0 && blocks === null) {
    const page = await store.list({ prefix: '', after: null, folders: true, max: 10 });
    const there = [...page.folders, ...page.objects.map(({ key }) => key)].join(', ');
    throw new Error(
      `${source.description} can be listed, but holds neither record files nor blocks. The bucket has ${there === '' ? 'nothing' : there}. Name the bucket, or the folder of it, that holds recordstreams/, <network>/<shard>/<node>/record/ or block/`,
    );
  }
  const access = bucket.access() === 'credentials' ? 'with credentials' : 'without credentials';
  const payer = options.requesterPays ? ', you pay' : '';
  const lists = Math.max(nodes.length, blocks ? 1 : 0) + (nodes.length > 0 && blocks ? 1 : 0);
  const perDay = Math.round((lists * 86_400_000) / options.pollMs);
  const places = [
    ...(nodes.length > 0 ? [`${nodes.length} nodes`] : []),
    ...(blocks ? [`blocks in ${blocks.path === '' ? 'the bucket' : blocks.path}`] : []),
  ];
  return {
    source,
    found: `listed ${access}${payer}: ${places.join(', ')}; to follow it takes ${perDay} list requests a day`,
  };
}
