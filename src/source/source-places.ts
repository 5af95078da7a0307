// What `--source` may name: a folder, a bucket, a block node, or a list of them in order of preference.
import { type BlockNodeAddress, parseBlockNodeAddress } from './block-node/block-node-address.ts';

export type SourcePlace =
  | { kind: 'folder'; path: string }
  | { kind: 'blockNode'; address: BlockNodeAddress }
  | BucketPlace;

/** `prefix`: without `/` at its ends; empty = the whole bucket. */
export type BucketPlace = { kind: 'bucket'; store: 's3' | 'gs'; bucket: string; prefix: string };

/** Throws an Error that says what is wrong. */
export function parseSourcePlaces(text: string): SourcePlace[] {
  // A comma may be part of the name of a folder; a list has at least one address.
  const parts = /(^|,)\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text.split(',').map((part) => part.trim()) : [text];
  return parts.map((part) => {
    if (/^grpcs?:/i.test(part)) return { kind: 'blockNode', address: parseBlockNodeAddress(part) };
    if (/^(s3|gs):/i.test(part)) return parseBucketPlace(part);
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(part)) {
      throw new Error(
        `${part} is a URL of another kind; stream files come from folders, buckets (s3://<bucket>/<prefix>, gs://…) and block nodes (grpc://<host>:40840)`,
      );
    }
    if (part === '') throw new Error('an entry of the list is empty; write it without a comma too many');
    return { kind: 'folder', path: part };
  });
}

function parseBucketPlace(text: string): BucketPlace {
  const match = /^(s3|gs):\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(?:\/([^?#]*))?$/i.exec(text);
  if (!match)
    throw new Error(`${text} is no address of a bucket; write s3://<bucket>/<prefix> or gs://<bucket>/<prefix>`);
  const [, scheme, bucket, path = ''] = match;
  const prefix = path.replace(/^\/+|\/+$/g, '');
  return { kind: 'bucket', store: scheme!.toLowerCase() as 's3' | 'gs', bucket: bucket!, prefix };
}
