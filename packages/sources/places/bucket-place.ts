// Files in a bucket. They may be larger than memory: they are read in one stream, which goes on where it broke off, and
// written in parts.
import { joinChunks } from '../../kit/join-chunks.ts';
import { pause } from '../../kit/pause.ts';
import { askAgain } from '../bucket/ask-again.ts';
import { isPassing, isStoreProblem, tellStoreProblem } from '../bucket/bucket-error.ts';
import { BrokenAnswerError, type ObjectStore, ObjectStoreError, type OpenedObject } from '../bucket/object-store.ts';
import { StreamSourceError } from '../stream-source.ts';
import type { FilePlace, PlacedFile } from './file-place.ts';

export type BucketPlaceOptions = {
  store: ObjectStore;
  /** Without `/` at its ends. */
  prefix: string;
  /** Longest silence of the store. */
  timeoutMs: number;
  /** First pause before a request is repeated. */
  firstPauseMs?: number;
  /** In a row, without a byte in between. */
  maxAttempts?: number;
};

const longestPauseMs = 5_000;
/** A store is silent while it is sent a part, and while it joins parts: so many times as long. */
const sendingTimeouts = 12;
/** S3 allows 10,000 parts of at least 5 MB: with this size 160 GB a file. */
const partBytes = 16 * 1024 * 1024;

export function createBucketPlace(options: BucketPlaceOptions): FilePlace {
  const { store, prefix, timeoutMs, firstPauseMs = 200, maxAttempts = 12 } = options;
  const asked = askAgain(store, { timeoutMs, firstPauseMs, maxAttempts });
  const root = prefix === '' ? '' : `${prefix}/`;

  /** Repeats what may pass. */
  async function repeat<Answer>(
    place: string,
    signal: AbortSignal | undefined,
    attempt: (watch: Silence) => Promise<Answer>,
    silentMs = timeoutMs,
  ): Promise<Answer> {
    for (let failures = 0; ; ) {
      const silence = createSilence(silentMs, signal);
      try {
        return await attempt(silence);
      } catch (thrown) {
        signal?.throwIfAborted();
        const error = silence.reason() ?? thrown;
        if (!isStoreProblem(error)) throw error;
        failures += 1;
        if (!isPassing(error) || failures >= maxAttempts) throw tellStoreProblem(error, { place, store });
        await waitAfter(error, firstPauseMs * 2 ** (failures - 1), signal);
      } finally {
        silence.end();
      }
    }
  }

  return {
    name: `${store.name}/${prefix}`,
    async list(signal) {
      const found: PlacedFile[] = [];
      for (let after: string | null = null, hasMore = true; hasMore; ) {
        const page = await asked.list({ prefix: root, after, folders: false }, signal);
        for (const { key, sizeBytes } of page.objects) found.push({ path: key.slice(root.length), sizeBytes });
        after = page.objects.at(-1)?.key ?? null;
        hasMore = page.hasMore && after !== null;
      }
      return found;
    },
    async *read(path, { signal } = {}) {
      const key = `${root}${path}`;
      const place = `${store.name}/${key}`;
      let at = 0;
      let opened: OpenedObject | null = null;
      const readOn = async (silence: Silence): Promise<IteratorResult<Uint8Array>> => {
        try {
          opened ??= await store.open(key, at, silence);
          const read = await orAbort(opened.chunks.next(), silence.signal);
          if (read.done && opened.totalBytes !== null && at < opened.totalBytes) {
            throw new BrokenAnswerError(`${place} broke off after ${at} of ${opened.totalBytes} bytes`);
          }
          return read;
        } catch (error) {
          opened?.close();
          opened = null;
          throw error;
        }
      };
      try {
        for (;;) {
          // Between two parts the store is not waited for: who reads may take its time.
          const read = await repeat(place, signal, readOn);
          if (read.done) return;
          at += read.value.length;
          yield read.value;
        }
      } finally {
        (opened as OpenedObject | null)?.close();
      }
    },
    async write(path, bytes, signal) {
      const key = `${root}${path}`;
      const place = `${store.name}/${key}`;
      if (!store.upload) throw notWritable(store.name);
      const upload = store.upload(key);
      try {
        for await (const part of joinChunks(bytes, partBytes)) {
          await repeat(place, signal, (silence) => upload.part(part, silence), sendingTimeouts * timeoutMs);
        }
        await repeat(place, signal, (silence) => upload.complete(silence), sendingTimeouts * timeoutMs);
      } catch (error) {
        // What is left of it costs room only; the error says why it ended.
        await upload.abort({ signal: AbortSignal.timeout(timeoutMs), onBytes() {} }).catch(() => {});
        throw error;
      }
    },
    async remove(path) {
      if (!store.remove) throw notWritable(store.name);
      await repeat(`${store.name}/${root}${path}`, undefined, (silence) => store.remove!(`${root}${path}`, silence));
    },
  };
}

async function waitAfter(error: unknown, pauseMs: number, signal?: AbortSignal): Promise<void> {
  const wantedMs = error instanceof ObjectStoreError ? (error.retryAfterMs ?? 0) : 0;
  const restMs = Math.max(Math.random() * Math.min(pauseMs, longestPauseMs), Math.min(wantedMs, 6 * longestPauseMs));
  if (!(await pause(restMs, signal))) signal?.throwIfAborted();
}

function notWritable(name: string): StreamSourceError {
  const message = `${name} cannot be written to. Buckets of Google take s3://… with HMAC keys and --source-endpoint https://storage.googleapis.com`;
  return new StreamSourceError('unavailable', name, message);
}

type Silence = {
  signal: AbortSignal;
  onBytes(): void;
  /** Set once the store was silent for too long. */
  reason(): Error | null;
  end(): void;
};

/** Ends an attempt in which the store is silent for too long. */
function createSilence(timeoutMs: number, signal: AbortSignal | undefined): Silence {
  const silent = new AbortController();
  const tell = (): void => silent.abort(new BrokenAnswerError(`no answer within ${timeoutMs / 1000} s`));
  let timer = setTimeout(tell, timeoutMs);
  return {
    signal: signal ? AbortSignal.any([signal, silent.signal]) : silent.signal,
    onBytes() {
      clearTimeout(timer);
      timer = setTimeout(tell, timeoutMs);
    },
    reason: () => (silent.signal.aborted ? (silent.signal.reason as Error) : null),
    end: () => clearTimeout(timer),
  };
}

/** For work that does not look at the signal. */
async function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
