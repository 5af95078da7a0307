// Google's JSON API as its reference describes it, on loopback: pages, the offset that belongs to a page, who pays, the
// token.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createGcsStore, type GcsStoreOptions } from './gcs-store.ts';

const objects: Record<string, string> = {
  'a/1 x+y': 'one',
  'a/2': 'two',
  'a/s/3': 'three',
  'a/s/4': 'four',
  b: 'five',
};
const folder = mkdtempSync(join(tmpdir(), 'gcs-store-'));
const seen: { path: string; query: Record<string, string>; authorization: string | undefined }[] = [];
let server: Server;
let endpoint: string;

beforeAll(async () => {
  server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x');
    const query = Object.fromEntries(searchParams);
    seen.push({ path: pathname, query, authorization: request.headers.authorization });
    if (pathname === '/token') return answer.end(JSON.stringify({ access_token: 'made-up', expires_in: 3600 }));
    if (pathname === '/storage/v1/b/private/o' && request.headers.authorization === undefined) answer.writeHead(401);
    const other = otherAnswers[pathname];
    if (other !== undefined) return answer.end(other);
    const name = /^\/storage\/v1\/b\/bkt\/o\/(.+)$/.exec(pathname)?.[1];
    if (name === undefined) return answer.end(JSON.stringify(list(query)));
    const body = objects[decodeURIComponent(name)];
    if (body !== undefined) return answer.end(body);
    answer.writeHead(404);
    return answer.end(
      JSON.stringify({ error: { message: `No such object: bkt/${name}`, errors: [{ reason: 'notFound' }] } }),
    );
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
  seen.splice(0);
});

/** Of buckets behind something that is no store. */
const otherAnswers: Record<string, string> = {
  '/storage/v1/b/proxy/o': '<html>Sign in</html>',
  '/storage/v1/b/liar/o': '{"items":[{"size":"3"}]}',
  '/storage/v1/b/empty/o': '',
  '/storage/v1/b/private/o': '{"prefixes":["a/"]}',
};

/** Two a page, and an empty page first, which may come. */
function list({ prefix = '', startOffset = '', delimiter, pageToken }: Record<string, string>) {
  if (pageToken === undefined) return { nextPageToken: '0' };
  const names = Object.keys(objects).filter((name) => name.startsWith(prefix) && name >= startOffset);
  const entries = [...new Set(names.map((name) => folderOf(name, prefix, delimiter) ?? name))];
  const from = Number(pageToken);
  const page = entries.slice(from, from + 2);
  const isFolder = (name: string) => delimiter !== undefined && name.endsWith('/');
  const [items, prefixes] = [page.filter((name) => !isFolder(name)), page.filter(isFolder)];
  return {
    ...(items.length > 0 ? { items: items.map((name) => ({ name, size: String(objects[name]!.length) })) } : {}),
    ...(prefixes.length > 0 ? { prefixes } : {}),
    ...(entries.length > from + 2 ? { nextPageToken: String(from + 2) } : {}),
  };
}

function folderOf(name: string, prefix: string, delimiter: string | undefined): string | null {
  const end = delimiter === undefined ? -1 : name.indexOf(delimiter, prefix.length);
  return end < 0 ? null : name.slice(0, end + 1);
}

const attempt = { signal: new AbortController().signal, onBytes() {} };

function store(options: Partial<GcsStoreOptions> = {}) {
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none');
  return createGcsStore({ bucket: 'bkt', endpoint, requesterPays: false, ...options });
}

it('lists pages behind a name, without the name itself', async () => {
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', undefined);
  const bucket = store();
  expect(await bucket.list({ prefix: 'a/', after: null, folders: true }, attempt)).toEqual({
    objects: [
      { key: 'a/1 x+y', sizeBytes: 3 },
      { key: 'a/2', sizeBytes: 3 },
    ],
    folders: [],
    hasMore: true,
  });
  expect(await bucket.list({ prefix: 'a/', after: 'a/2', folders: true }, attempt)).toEqual({
    objects: [],
    folders: ['a/s/'],
    hasMore: false,
  });
  expect(bucket.access()).toBe('anonymous');
  expect(seen.some(({ authorization }) => authorization !== undefined)).toBe(false);
});

it('reads objects, and knows one that is not there', async () => {
  const bucket = store();
  expect((await bucket.get('a/1 x+y', attempt)).toString()).toBe('one');
  await expect(bucket.get('a/9', attempt)).rejects.toMatchObject({ name: 'ObjectStoreError', status: 404 });
});

it.each(['proxy', 'liar', 'empty'])(
  'what is no list is an answer that may be another the next time: %s',
  async (bucket) => {
    const listing = store({ bucket }).list({ prefix: '', after: null, folders: true }, attempt);
    await expect(listing).rejects.toMatchObject({
      name: 'BrokenAnswerError',
      message: `gs://${bucket} answered with something other than a list of objects`,
    });
  },
);

it('signs with the credentials that it finds, and names who pays', async () => {
  const file = join(folder, 'credentials.json');
  writeCredentials(file);
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', file);
  const bucket = store({ requesterPays: true, project: 'payer' });
  expect((await bucket.get('b', attempt)).toString()).toBe('five');
  expect(bucket.access()).toBe('credentials');
  expect(seen.at(-1)).toEqual({
    path: '/storage/v1/b/bkt/o/b',
    query: { alt: 'media', userProject: 'payer' },
    authorization: 'Bearer made-up',
  });
});

it('credentials that come while it waits for them are used', async () => {
  const file = join(folder, 'late.json');
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', file);
  const bucket = store({ bucket: 'private' });
  const list = () => bucket.list({ prefix: '', after: null, folders: true }, attempt);
  await expect(list()).rejects.toMatchObject({ name: 'ObjectStoreError', status: 401 });
  expect(bucket.access()).toBe('anonymous');
  writeCredentials(file);
  expect((await list()).folders).toEqual(['a/']);
  expect(bucket.access()).toBe('credentials');
});

function writeCredentials(file: string): void {
  const credentials = {
    type: 'external_account_authorized_user',
    audience: '//iam.googleapis.com/locations/global/workforcePools/p/providers/q',
    client_id: 'c',
    client_secret: 's',
    refresh_token: 'r',
    token_url: `${endpoint}/token`,
  };
  writeFileSync(file, JSON.stringify(credentials));
}
