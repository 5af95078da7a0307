import { createGcsStore } from '../bucket/gcs-store.ts';
import { createS3Store } from '../bucket/s3-store.ts';
import { createBucketPlace } from './bucket-place.ts';
import type { FilePlace, FilePlaceAddress } from './file-place.ts';
import { createFolderPlace } from './folder-place.ts';

export function openFilePlace(address: FilePlaceAddress): FilePlace {
  if (address.kind === 'folder') return createFolderPlace(address.path);
  const { store, prefix, timeoutMs, ...options } = address;
  return createBucketPlace({
    store: store === 's3' ? createS3Store(options) : createGcsStore(options),
    prefix,
    timeoutMs,
  });
}
