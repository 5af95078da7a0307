// Lists of a server that speaks the API of Amazon S3 and says what none would say.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { isPassing, isStoreProblem, tellStoreProblem } from './bucket-error.ts';
import { createS3Store } from './s3-store.ts';

const listOf = (inner: string): string =>
  `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType>${inner}</ListBucketResult>`;

const lists: Record<string, string> = {
  'empty-one': '<ListBucketResult><Name>empty-one</Name><KeyCount>0</KeyCount></ListBucketResult>',
  'good-one': listOf(
    '<Contents><Key>a+b%2Bc</Key><Size>3</Size></Contents><CommonPrefixes><Prefix>d/</Prefix></CommonPrefixes>',
  ),
  private: listOf('<Contents><Key>a</Key><Size>3</Size></Contents>'),
  'no-name': listOf('<Contents><Size>3</Size></Contents>'),
  'bad-name': listOf('<Contents><Key>%ZZ</Key><Size>3</Size></Contents>'),
  'no-folder': listOf('<CommonPrefixes></CommonPrefixes>'),
  html: '<html><body>Sign in</body></html>',
  'broken-html': '<html><p>Sign in<br></html>',
  text: 'Sign in',
  json: '{"error":"sign in"}',
  nothing: '',
  'no-size': listOf('<Contents><Key>a</Key><Size>many</Size></Contents>'),
};

const folder = mkdtempSync(join(tmpdir(), 's3-store-'));
let server: Server;
let endpoint: string;

function stubCredentials(): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'made-up');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'made-up');
}

beforeEach(stubCredentials);
beforeAll(async () => {
  server = createServer((request, answer) => {
    const bucket = request.url!.split(/[/?]/)[1]!;
    const { authorization } = request.headers;
    if (bucket === 'private' && authorization === undefined) answer.writeHead(403);
    if (bucket === 'private' && authorization?.includes('Credential=ended/')) {
      answer.writeHead(400);
      return answer.end('<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>');
    }
    return answer.end(lists[bucket]);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const attempt = { signal: new AbortController().signal, onBytes() {} };
const all = { prefix: '', after: null, folders: true } as const;
const openStore = (bucket: string) => createS3Store({ bucket, endpoint, region: 'us-east-1', requesterPays: false });
const list = (bucket: string) => openStore(bucket).list(all, attempt);

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

it.each(['html', 'broken-html', 'text', 'json', 'nothing'])(
  '%s: is not what a store answers, and is said to be that',
  async (bucket) => {
    const store = openStore(bucket);
    const error = await store.list(all, attempt).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: 'BrokenAnswerError', isForeign: true });
    expect(isStoreProblem(error) && isPassing(error)).toBe(true);
    expect(tellStoreProblem(error, { place: `s3://${bucket}/`, store }).message).toBe(
      `s3://${bucket} is not the server that answers there (s3://${bucket} answered with something other than the XML of a store, at s3://${bucket}/). Check --source-endpoint, and whether a proxy on the way requires a sign-in`,
    );
  },
);

it('an empty bucket is no such answer', async () => {
  expect(await list('empty-one')).toEqual({ objects: [], folders: [], hasMore: false });
});

it('credentials that appear, and are renewed, while it waits for them are used', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  const file = join(folder, 'credentials');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file);
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
  const store = openStore('private');
  await expect(store.list(all, attempt)).rejects.toMatchObject({ name: 'ObjectStoreError', status: 403 });
  expect(store.access()).toBe('anonymous');
  const writeKey = (key: string) =>
    writeFileSync(file, `[default]\naws_access_key_id = ${key}\naws_secret_access_key = made-up\n`);
  writeKey('ended');
  await expect(store.list(all, attempt)).rejects.toMatchObject({ status: 400, code: 'ExpiredToken' });
  writeKey('renewed');
  expect((await store.list(all, attempt)).objects).toEqual([{ key: 'a', sizeBytes: 3 }]);
  expect(store.access()).toBe('credentials');
});
