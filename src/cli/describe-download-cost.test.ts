import { expect, test } from 'vitest';
import type { FilePlaceAddress } from '../../packages/sources/places/file-place.ts';
import { describeDownloadCost } from './describe-download-cost.ts';

const bucket = { kind: 'bucket', bucket: 'b', prefix: 'p', timeoutMs: 1, requesterPays: true } as const;
const gs: FilePlaceAddress = { ...bucket, store: 'gs' };
const s3: FilePlaceAddress = { ...bucket, store: 's3' };

test.each<[FilePlaceAddress, number, string]>([
  [gs, 250e9, 'about $28 at $0.12 a GiB (list price of internet egress from Google Cloud, may have changed'],
  [gs, 20e12, 'about $2,235 at $0.12 a GiB'],
  [gs, 2 ** 30, 'about $0.12 at $0.12 a GiB'],
  [gs, 1000, 'about $0.01 at'],
  [s3, 100 * 2 ** 30, 'about $9.00 at $0.09 a GiB (list price of internet egress from Amazon S3'],
])('%j with %d bytes', (from, bytes, says) => {
  expect(describeDownloadCost(from, bytes)).toEqual([expect.stringContaining(says)]);
});

test.each<FilePlaceAddress>([
  { kind: 'folder', path: '.' },
  { ...gs, requesterPays: false },
  { ...s3, endpoint: 'http://127.0.0.1:9000' },
])('nothing is said of %j', (from) => {
  expect(describeDownloadCost(from, 250e9)).toEqual([]);
});
