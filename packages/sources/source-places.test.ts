import { expect, it } from 'vitest';
import { parseSourcePlaces } from './source-places.ts';

const node = (name: string, target: string, isSecure = false, statusTarget = target) => ({
  kind: 'blockNode',
  address: { name, subscription: { target, isSecure }, status: { target: statusTarget, isSecure } },
});

it.each([
  ['./streams', [{ kind: 'folder', path: './streams' }]],
  ['./a,b', [{ kind: 'folder', path: './a,b' }]],
  ['grpc://node.example', [node('grpc://node.example:40840', 'node.example:40840')]],
  ['GRPCS://node.example:443/', [node('grpcs://node.example:443', 'node.example:443', true)]],
  ['grpc://[::1]:7600', [node('grpc://[::1]:7600', '[::1]:7600')]],
  [
    'grpc://node.example:40980?status=40982',
    [node('grpc://node.example:40980?status=40982', 'node.example:40980', false, 'node.example:40982')],
  ],
  [
    'grpcs://[::1]/?status=443,./a',
    [node('grpcs://[::1]:40840?status=443', '[::1]:40840', true, '[::1]:443'), { kind: 'folder', path: './a' }],
  ],
  [
    'grpc://a, ./blocks ,grpcs://b:1',
    [node('grpc://a:40840', 'a:40840'), { kind: 'folder', path: './blocks' }, node('grpcs://b:1', 'b:1', true)],
  ],
  ['s3://bucket', [{ kind: 'bucket', store: 's3', bucket: 'bucket', prefix: '' }]],
  [
    'GS://my-bucket/mainnet/block/,./a',
    [
      { kind: 'bucket', store: 'gs', bucket: 'my-bucket', prefix: 'mainnet/block' },
      { kind: 'folder', path: './a' },
    ],
  ],
  ['./records,grpc://a', [{ kind: 'folder', path: './records' }, node('grpc://a:40840', 'a:40840')]],
])('%s', (text, places) => {
  expect(parseSourcePlaces(text)).toEqual(places);
});

it.each([
  ['grpc://', /no address of a block node; write grpc:\/\/<host>:40840/],
  ['grpc://a:0', /no address of a block node/],
  ['grpc://a:70000', /no address of a block node/],
  ['grpc://user@a', /no address of a block node/],
  ['grpc://a/path', /no address of a block node/],
  ['grpc://a?status=0', /"\?status=0"; the only parameter of a block node is \?status=<port>/],
  ['grpc://a?status=65536', /the only parameter of a block node is/],
  ['grpc://a?status=', /the only parameter of a block node is/],
  ['grpc://a?', /the only parameter of a block node is/],
  ['grpc://a?status=1&status=2', /the only parameter of a block node is/],
  ['grpc://a?tls=true', /the only parameter of a block node is/],
  ['grpc://a?status=1&subscribe=2', /the only parameter of a block node is/],
  ['https://bucket/streams', /is a URL of another kind; stream files come from folders, buckets/],
  ['s3://', /no address of a bucket; write s3:\/\/<bucket>\/<prefix>/],
  ['gs://b ucket/x', /no address of a bucket/],
  ['s3://bucket/x?versions', /no address of a bucket/],
  ['grpc://a,', /an entry of the list is empty/],
])('refuses %s', (text, error) => {
  expect(() => parseSourcePlaces(text)).toThrow(error);
});
