// A bucket of Amazon S3, or of any server with its API: MinIO, Ceph, R2, and Google Cloud Storage with HMAC keys.
// Credentials come from the SDK's usual chain; if it finds none, requests are not signed. The SDK is loaded with the
// first request (0.2 s), so that commands without it do not wait for it.
import type { Readable } from 'node:stream';
import type { ListObjectsV2CommandInput, ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
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
import { readBody } from './read-body.ts';
import { createS3Upload } from './s3-upload.ts';

export type S3StoreOptions = {
  bucket: string;
  /** Of the blocks in it. */
  blockLimits?: BlockLimits;
  /** undefined: that of Amazon. */
  endpoint?: string | undefined;
  /** undefined: from the SDK's chain, else us-east-1; the region that the store reports takes precedence. */
  region?: string | undefined;
  requesterPays: boolean;
};

/** Connections to the store. */
const maxSockets = 128;

export function createS3Store(options: S3StoreOptions): ObjectStore {
  const { bucket, blockLimits = defaultBlockLimits, endpoint, region, requesterPays } = options;
  const name = `s3://${bucket}`;
  const payer = requesterPays ? ({ RequestPayer: 'requester' } as const) : {};
  let access: StoreAccess = 'unknown';

  async function open(): Promise<Opened> {
    const sdk = await import('@aws-sdk/client-s3');
    const common = {
      // Retries are made in one place for all stores.
      maxAttempts: 1,
      followRegionRedirects: true,
      // Other servers than Amazon's support only the checksums that a request asks for.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Passed on to the SDK's credential chain: files may have changed.
      ignoreCache: true,
      requestHandler: { httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    } as const;
    const signing = new sdk.S3Client({ ...common, ...(region === undefined ? {} : { region }) });
    const [hasCredentials, foundRegion] = await Promise.all([
      signing.config.credentials().then(...foundOrNot),
      signing.config.region().then(...foundOrNot),
    ]);
    access = hasCredentials ? 'credentials' : 'anonymous';
    if (hasCredentials && foundRegion) return { sdk, client: signing };
    signing.destroy();
    const client = new sdk.S3Client({
      ...common,
      ...(foundRegion && region === undefined ? {} : { region: region ?? 'us-east-1' }),
      ...(hasCredentials ? {} : anonymous),
    });
    return { sdk, client };
  }

  const opened = createStoreOpener(open);

  return {
    name,
    access: () => access,
    async list({ prefix, after, folders, max }, { signal, onBytes }) {
      const input: ListObjectsV2CommandInput = {
        Bucket: bucket,
        Prefix: prefix,
        EncodingType: 'url',
        ...(after === null ? {} : { StartAfter: after }),
        ...(max === undefined ? {} : { MaxKeys: max }),
        ...(folders ? { Delimiter: '/' } : {}),
        ...payer,
      };
      const page = await opened(({ sdk, client }) =>
        mapErrors(name, () => client.send(new sdk.ListObjectsV2Command(input), { abortSignal: signal })),
      );
      onBytes();
      if (!isList(page)) throw foreignAnswer(name);
      const read = createNameReader(name, page.EncodingType === 'url');
      return {
        objects: (page.Contents ?? []).map(({ Key, Size }) => ({ key: read(Key), sizeBytes: toSizeBytes(Size, name) })),
        folders: (page.CommonPrefixes ?? []).map(({ Prefix }) => read(Prefix)),
        hasMore: page.IsTruncated === true,
      };
    },
    async get(key, { signal, onBytes }: Attempt) {
      const input = { Bucket: bucket, Key: key, ...payer };
      const answer = await opened(({ sdk, client }) =>
        mapErrors(`${name}/${key}`, () => client.send(new sdk.GetObjectCommand(input), { abortSignal: signal })),
      );
      onBytes();
      const body = answer.Body as unknown as AsyncIterable<Uint8Array>;
      const limit = findFileLimit(key, blockLimits);
      return readBody(body, { place: `${name}/${key}`, sizeBytes: answer.ContentLength ?? null, limit, onBytes });
    },
    async open(key, from, { signal, onBytes }) {
      const input = { Bucket: bucket, Key: key, ...(from > 0 ? { Range: `bytes=${from}-` } : {}), ...payer };
      const answer = await opened(({ sdk, client }) =>
        mapErrors(`${name}/${key}`, () => client.send(new sdk.GetObjectCommand(input), { abortSignal: signal })),
      );
      onBytes();
      const body = answer.Body as unknown as Readable;
      return toOpened(body, {
        from,
        isPartial: answer.ContentRange !== undefined,
        lengthBytes: answer.ContentLength ?? null,
        close: () => void body.destroy(),
      });
    },
    upload: (key) =>
      createS3Upload({ Bucket: bucket, Key: key, ...payer }, (ask) =>
        opened(({ sdk, client }) => mapErrors(`${name}/${key}`, () => ask(sdk, client))),
      ),
    async remove(key, { signal, onBytes }) {
      const input = { Bucket: bucket, Key: key, ...payer };
      await opened(({ sdk, client }) =>
        mapErrors(`${name}/${key}`, () => client.send(new sdk.DeleteObjectCommand(input), { abortSignal: signal })),
      );
      onBytes();
    },
  };
}

/** The SDK requires credentials even if nothing is signed with them. */
const anonymous = {
  credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  signer: { sign: async <Request>(request: Request) => request },
};

type Opened = { sdk: typeof import('@aws-sdk/client-s3'); client: S3Client };

const foundOrNot = [() => true, () => false] as const;

/** Keys are requested URL-encoded: XML cannot carry every name. `store`: for messages. */
function createNameReader(store: string, isUrl: boolean): (text: string | undefined) => string {
  return (text) => {
    try {
      if (text !== undefined) return isUrl ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
    throw new BrokenAnswerError(`${store} lists an object without a name that can be read`);
  };
}

/** Every listing has one of these, even an empty one; the SDK reads a page of HTML as a listing without any. */
function isList({ Name, EncodingType, KeyCount, IsTruncated }: ListObjectsV2CommandOutput): boolean {
  return [Name, EncodingType, KeyCount, IsTruncated].some((member) => member !== undefined);
}

function foreignAnswer(place: string): BrokenAnswerError {
  return new BrokenAnswerError(`${place} answered with something other than the XML of a store`, { isForeign: true });
}

/** Turns the SDK's errors into ours. */
async function mapErrors<Answer>(place: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const {
      name: code,
      message,
      $metadata,
      $response,
    } = error as Error & {
      $metadata?: { httpStatusCode?: number };
      $response?: { headers?: Record<string, string> };
    };
    const status = $metadata?.httpStatusCode;
    // No answer: a connection failure.
    if (status === undefined) throw error;
    // A successful status, but the body is not in the store's format.
    if (status < 300) throw foreignAnswer(place);
    throw new ObjectStoreError(message, { code, status, headers: $response?.headers ?? {} });
  }
}
