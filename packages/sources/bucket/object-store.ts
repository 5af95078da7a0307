// What a source needs of an object store: pages of names in order, and the bytes of one object. One call is one
// attempt; `ask-again.ts` repeats it.

export type ListQuestion = {
  /** Ends with `/`, or is empty: the whole bucket. */
  prefix: string;
  /** Only names after this one, in the order of their bytes; null = from the first. */
  after: string | null;
  /** Names with a `/` after the prefix are listed once, as their folder. */
  folders: boolean;
  /** Maximum number of names and folders; default 1,000. */
  max?: number;
};

/** At most 1,000 names and folders together. */
export type ListedPage = {
  objects: { key: string; sizeBytes: number }[];
  /** Each with the prefix, and `/` at its end. */
  folders: string[];
  hasMore: boolean;
};

/** `onBytes` is called while an answer comes: without it the answer counts as stalled. */
export type Attempt = { signal: AbortSignal; onBytes(): void };

export type ObjectStore = {
  /** For messages: `s3://bucket`. */
  name: string;
  /** How requests are signed, as far as known: for messages. */
  access(): StoreAccess;
  /** Both throw ObjectStoreError for the store's refusals, and other errors for connection failures. */
  list(question: ListQuestion, attempt: Attempt): Promise<ListedPage>;
  get(key: string, attempt: Attempt): Promise<Buffer>;
  /** An object of any size, from one of its bytes on. */
  open(key: string, from: number, attempt: Attempt): Promise<OpenedObject>;
  /** Absent: the store is only read. */
  upload?(key: string): Upload;
  remove?(key: string, attempt: Attempt): Promise<void>;
};

export type OpenedObject = {
  /** Of the whole object; null = unknown. */
  totalBytes: number | null;
  chunks: AsyncIterator<Uint8Array>;
  /** Ends the connection, also while a chunk is waited for. */
  close(): void;
};

/** One object, in parts; it exists when it is complete. Each call is one attempt, and may be repeated. */
export type Upload = {
  part(bytes: Buffer, attempt: Attempt): Promise<void>;
  complete(attempt: Attempt): Promise<void>;
  /** Removes what was uploaded. */
  abort(attempt: Attempt): Promise<void>;
};

/** `isPartial`: the store answers with the bytes from `from` on, and not with all. */
export function toOpened(
  body: AsyncIterable<Uint8Array>,
  {
    from,
    isPartial,
    lengthBytes,
    close,
  }: { from: number; isPartial: boolean; lengthBytes: number | null; close(): void },
): OpenedObject {
  const totalBytes = lengthBytes === null ? null : lengthBytes + (isPartial ? from : 0);
  const chunks = from > 0 && !isPartial ? leaveOut(body, from) : body;
  return { totalBytes, chunks: chunks[Symbol.asyncIterator](), close };
}

async function* leaveOut(body: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of body) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** unknown: nothing was asked yet. */
export type StoreAccess = 'unknown' | 'anonymous' | 'credentials';

/** As in a listing; an absent size is 0. `store`: for messages. */
export function toSizeBytes(size: string | number | undefined, store: string): number {
  const sizeBytes = Number(size ?? 0);
  if (Number.isSafeInteger(sizeBytes) && sizeBytes >= 0) return sizeBytes;
  throw new BrokenAnswerError(`${store} lists an object of ${size} bytes`);
}

/** What the store answered, in its own words. */
export class ObjectStoreError extends Error {
  /** `AccessDenied`, `SlowDown`, …; the HTTP status if it gives none. */
  readonly code: string;
  readonly status: number;
  /** When the store asks to be asked again. */
  readonly retryAfterMs: number | null;
  /** The store's clock minus this machine's; null if unknown. */
  readonly clockSkewMs: number | null;
  /** The bucket's region, if the store names it. */
  readonly region: string | null;
  /** Whether credentials are required, refused, or expired. */
  readonly isRefusal: boolean;

  constructor(message: string, answer: { code: string; status: number; headers: Readonly<Record<string, string>> }) {
    super(message);
    this.name = 'ObjectStoreError';
    this.code = answer.code;
    this.status = answer.status;
    const { date, 'retry-after': retryAfter, 'x-amz-bucket-region': region } = answer.headers;
    const seconds = Number(retryAfter ?? Number.NaN);
    this.retryAfterMs = seconds >= 0 ? 1000 * seconds : null;
    const skewMs = Date.parse(date ?? '') - Date.now();
    this.clockSkewMs = Number.isNaN(skewMs) ? null : skewMs;
    this.region = region ?? null;
    this.isRefusal = answer.status === 401 || answer.status === 403 || /^(Expired|Invalid)Token$/.test(answer.code);
  }
}

/** An answer that did not come, or not whole. The next attempt may succeed. */
export class BrokenAnswerError extends Error {
  /** Another server answers than the store, such as a proxy that requires a sign-in. */
  readonly isForeign: boolean;

  constructor(message: string, { isForeign = false } = {}) {
    super(message);
    this.name = 'BrokenAnswerError';
    this.isForeign = isForeign;
  }
}
