// A bucket of Google Cloud Storage, by its JSON API and `fetch`. Credentials come from the usual chain of Google's
// libraries (application default credentials); if it finds none, requests are not signed. Only the library for
// credentials is installed (12 MB with its dependencies, against 19 MB for the storage client, whose retries and
// streams would be replaced here anyway); HMAC keys work as well, as s3:// with --source-endpoint
// https://storage.googleapis.com.
import { Readable } from 'node:stream';
import type { AuthClient } from 'google-auth-library';
import { isJsonObject } from '../../kit/is-json-object.ts';
import { type BlockLimits, defaultBlockLimits } from '../../streams/block-stream/block-limits.ts';
import { findFileLimit } from '../file-limit.ts';
import { createStoreOpener } from './bucket-error.ts';
import {
  type Attempt,
  BrokenAnswerError,
  type ObjectStore,
  ObjectStoreError,
  type StoreAccess,
  toOpened,
  toSizeBytes,
} from './object-store.ts';
import { type BodyOptions, readBody } from './read-body.ts';

export type GcsStoreOptions = {
  bucket: string;
  /** Of the blocks in it. */
  blockLimits?: BlockLimits;
  /** undefined: that of Google. */
  endpoint?: string | undefined;
  requesterPays: boolean;
  /** Who pays; undefined: the project of the credentials. */
  project?: string | undefined;
};

const readOnly = 'https://www.googleapis.com/auth/devstorage.read_only';

export function createGcsStore(options: GcsStoreOptions): ObjectStore {
  const { bucket, blockLimits = defaultBlockLimits, endpoint, requesterPays, project } = options;
  const name = `gs://${bucket}`;
  const base = `${endpoint ?? 'https://storage.googleapis.com'}/storage/v1/b/${encodeURIComponent(bucket)}/o`;
  let access: StoreAccess = 'unknown';

  async function open(): Promise<{ client: AuthClient | null; payer: string | null }> {
    const { GoogleAuth } = await import('google-auth-library');
    const auth = new GoogleAuth({ scopes: [readOnly], ...(project === undefined ? {} : { projectId: project }) });
    const client = await auth.getClient().catch(() => null);
    access = client ? 'credentials' : 'anonymous';
    const payer = requesterPays ? (project ?? (await auth.getProjectId().catch(() => null))) : null;
    return { client, payer };
  }

  const opened = createStoreOpener(open);

  const ask = (
    path: string,
    query: Record<string, string>,
    { signal, onBytes }: Attempt,
    from = 0,
  ): Promise<Response> =>
    opened(async ({ client, payer }) => {
      const parameters = new URLSearchParams({ ...query, ...(payer === null ? {} : { userProject: payer }) });
      const url = `${base}${path}?${parameters}`;
      const headers = new Headers(client ? await client.getRequestHeaders(url) : {});
      if (from > 0) headers.set('range', `bytes=${from}-`);
      const answer = await fetch(url, { headers, signal });
      onBytes();
      if (!answer.ok) throw await toError(answer, { place: name, onBytes });
      return answer;
    });

  return {
    name,
    access: () => access,
    async list({ prefix, after, folders, max = 1000 }, attempt) {
      const page: GcsPage = {};
      // A page may be empty although more follow.
      do {
        const answer = await ask(
          '',
          {
            maxResults: String(max),
            fields: 'items(name,size),prefixes,nextPageToken',
            ...(prefix === '' ? {} : { prefix }),
            ...(after === null ? {} : { startOffset: after }),
            ...(folders ? { delimiter: '/' } : {}),
            ...(page.nextPageToken === undefined ? {} : { pageToken: page.nextPageToken }),
          },
          attempt,
        );
        Object.assign(page, { nextPageToken: undefined }, await readPage(answer, { place: name, ...attempt }));
      } while (!page.items && !page.prefixes && page.nextPageToken !== undefined);
      return {
        // startOffset itself is part of the page.
        objects: (page.items ?? [])
          .filter((item) => item.name !== after)
          .map((item) => ({ key: item.name, sizeBytes: toSizeBytes(item.size, name) })),
        folders: page.prefixes ?? [],
        hasMore: page.nextPageToken !== undefined,
      };
    },
    async get(key, attempt) {
      const answer = await ask(`/${encodeURIComponent(key)}`, { alt: 'media' }, attempt);
      const length = answer.headers.get('content-length');
      // Decompressed on the way, the body is longer than the header says.
      const sizeBytes = length === null || answer.headers.has('content-encoding') ? null : Number(length);
      const limit = findFileLimit(key, blockLimits);
      return readBody(bodyOf(answer), { place: `${name}/${key}`, sizeBytes, limit, onBytes: attempt.onBytes });
    },
    async open(key, from, { signal, onBytes }) {
      const ended = new AbortController();
      const attempt = { signal: AbortSignal.any([signal, ended.signal]), onBytes };
      const answer = await ask(`/${encodeURIComponent(key)}`, { alt: 'media' }, attempt, from);
      const length = answer.headers.get('content-length');
      const isDecoded = answer.headers.has('content-encoding');
      return toOpened(bodyOf(answer), {
        from,
        isPartial: answer.status === 206,
        lengthBytes: length === null || isDecoded ? null : Number(length),
        close: () => ended.abort(),
      });
    },
  };
}

type GcsPage = { items?: { name: string; size?: string }[]; prefixes?: string[]; nextPageToken?: string };

type Place = Pick<BodyOptions, 'place' | 'onBytes'>;

/** Another server than the store may answer with status 200. */
async function readPage(answer: Response, place: Place): Promise<GcsPage> {
  const page = parseJson(await readText(answer, place));
  if (isPage(page)) return page;
  throw new BrokenAnswerError(`${place.place} answered with something other than a list of objects`, {
    isForeign: true,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPage(page: unknown): page is GcsPage {
  if (!isJsonObject(page)) return false;
  const { items = [], prefixes = [] } = page;
  if (!Array.isArray(items) || !Array.isArray(prefixes)) return false;
  return (
    items.every((item) => isJsonObject(item) && typeof item.name === 'string') &&
    prefixes.every((prefix) => typeof prefix === 'string')
  );
}

async function readText(answer: Response, place: Place): Promise<string> {
  return (await readBody(bodyOf(answer), { ...place, sizeBytes: null })).toString();
}

function bodyOf(answer: Response): AsyncIterable<Uint8Array> {
  return (answer.body as unknown as AsyncIterable<Uint8Array> | null) ?? Readable.from([]);
}

async function toError(answer: Response, place: Place): Promise<ObjectStoreError> {
  const text = await readText(answer, place);
  const { status, headers } = answer;
  const given = { status, headers: Object.fromEntries(headers) };
  try {
    const { error } = JSON.parse(text) as { error: { message: string; errors?: { reason: string }[] } };
    return new ObjectStoreError(error.message, { ...given, code: error.errors?.[0]?.reason ?? String(status) });
  } catch {
    return new ObjectStoreError(text.slice(0, 200), { ...given, code: String(status) });
  }
}
