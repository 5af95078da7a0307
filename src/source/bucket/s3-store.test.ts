// Lists of a server that speaks the API of Amazon S3 and says what none would say.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createS3Store } from './s3-store.ts';

const listOf = (inner: string): string =>
  `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType>${inner}</ListBucketResult>`;

const lists: Record<string, string> = {
  'good-one': listOf(
    '<Contents><Key>a+b%2Bc</Key><Size>3</Size></Contents><CommonPrefixes><Prefix>d/</Prefix></CommonPrefixes>',
  ),
  'no-name': listOf('<Contents><Size>3</Size></Contents>'),
  'bad-name': listOf('<Contents><Key>%ZZ</Key><Size>3</Size></Contents>'),
  'no-folder': listOf('<CommonPrefixes></CommonPrefixes>'),
  'no-size': listOf('<Contents><Key>a</Key><Size>many</Size></Contents>'),
};

let server: Server;
let endpoint: string;

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'made-up');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'made-up');
  server = createServer((request, answer) => answer.end(lists[request.url!.split(/[/?]/)[1]!]));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});

const attempt = { signal: new AbortController().signal, onBytes() {} };
const list = (bucket: string) =>
  createS3Store({ bucket, endpoint, region: 'us-east-1', requesterPays: false }).list(
    { prefix: '', after: null, folders: true },
    attempt,
  );

it('reads names as they are written in addresses', async () => {
  expect(await list('good-one')).toEqual({
    objects: [{ key: 'a b+c', sizeBytes: 3 }],
    folders: ['d/'],
    hasMore: false,
  });
});

it.each(['no-name', 'bad-name', 'no-folder', 'no-size'])(
  '%s: is an answer that may be another the next time',
  async (bucket) => {
    await expect(list(bucket)).rejects.toMatchObject({ name: 'BrokenAnswerError' });
  },
);
