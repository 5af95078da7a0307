// An answer with everything but what depends on the single request: whether the client has the body already, and its
// preferred encoding. The answer cache keeps it unchanged, so it can be sent any number of times.
import { copyAlone } from '../kit/copy-alone.ts';
import { encodeUtf8 } from '../kit/encode-utf8.ts';
import { type AnswerShapes, plainShapes } from './answer-shapes.ts';
import { compress, type Encoding, minCompressedBytes } from './content-encoding.ts';
import type { Answer } from './route.ts';

/** Headers are names and values in turn, in the mirror node's order. */
export type ReadyAnswer = {
  status: number;
  /**
   * The bytes of the body, one per character: Node writes such a string together with the head. Of a long one,
   * themselves.
   */
  bytes: string | Buffer;
  headers: readonly string[];
  /** For a 304; null if a client cannot have the body already. */
  unchanged: { tag: string; headers: readonly string[] } | null;
  /** null if the body is too short to compress. */
  compressed: CompressedBody | null;
};

/**
 * A longer text is sent as bytes, for which it is made into them once: 8 MB took the thread 4.9 ms as text, 1.5 ms so.
 */
const maxTextLength = 128 * 1024;

type CompressedBody = {
  headers(encoding: Encoding): readonly string[];
  /** Compresses once for each encoding. */
  bytes(encoding: Encoding): Buffer | Promise<Buffer>;
  /** Of all forms kept so far. */
  sizeBytes: number;
  /** Called when one more is kept. */
  onKept: (() => void) | null;
};

export function makeReady(answer: Answer, shapes: AnswerShapes = plainShapes): ReadyAnswer {
  const { body, status } = answer;
  const encoded = answer.contentEncoding ? Buffer.from(body, 'latin1') : encodeUtf8(body);
  const sizeBytes = encoded.length;
  const tag = answer.contentEncoding ? null : shapes.formatEntityTag(encoded, status);
  const tagged = tag === null ? [] : ['ETag', tag];
  const link = answer.next ? ['Link', `<${escapeHeader(answer.next)}>; rel="next"`] : [];
  const first = ['Access-Control-Allow-Origin', '*'];
  if (answer.cacheControl) first.push('cache-control', answer.cacheControl);
  if (answer.contentSecurityPolicy) {
    first.push('Content-Security-Policy', answer.contentSecurityPolicy, 'Referrer-Policy', 'same-origin');
  }
  const head = [...first];
  if (answer.retryAfterSeconds !== undefined) head.push('Retry-After', String(answer.retryAfterSeconds));
  if (answer.requestId !== undefined) head.push('X-Request-Id', answer.requestId);
  if (answer.location) head.push('Location', escapeHeader(answer.location));
  head.push('Content-Type', answer.contentType ?? shapes.contentType, ...link);
  if (answer.headers) head.push(...answer.headers);
  if (answer.contentEncoding) head.push('Content-Encoding', answer.contentEncoding);
  // The next text may be encoded in the same memory.
  const bytes = sizeBytes > maxTextLength ? copyAlone(encoded) : toLatin1(body, encoded);
  const vary = ['Vary', answer.vary ? `${answer.vary}, Accept-Encoding` : 'Accept-Encoding'];
  const tail = [...tagged, ...vary, 'X-Content-Type-Options', 'nosniff'];
  return {
    status,
    bytes,
    headers: [...head, 'Content-Length', String(sizeBytes), ...tail],
    unchanged:
      status < 300 && tag !== null
        ? { tag, headers: [...first, ...link, ...tagged, ...(shapes.variesUnchanged ? vary : [])] }
        : null,
    compressed:
      sizeBytes < minCompressedBytes || answer.contentEncoding ? null : createCompressedBody(bytes, [...head, ...tail]),
  };
}

/** As many bytes as characters: ASCII. */
function toLatin1(body: string, encoded: Buffer): string {
  return encoded.length === body.length ? body : encoded.toString('latin1');
}

function createCompressedBody(bytes: string | Buffer, head: readonly string[]): CompressedBody {
  const forms = new Map<Encoding, Buffer | Promise<Buffer>>();
  const keep = (encoding: Encoding, form: Buffer): void => {
    forms.set(encoding, form);
    body.sizeBytes += form.length;
    body.onKept?.();
  };
  const body: CompressedBody = {
    headers: (encoding) => [...head, 'Content-Encoding', encoding],
    bytes(encoding) {
      const kept = forms.get(encoding);
      if (kept) return kept;
      const form = compress(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, encoding);
      if (Buffer.isBuffer(form)) {
        keep(encoding, form);
      } else {
        forms.set(encoding, form);
        form.then(
          (done) => keep(encoding, done),
          () => forms.delete(encoding),
        );
      }
      return form;
    },
    sizeBytes: 0,
    onKept: null,
  };
  return body;
}

/** A link repeats the client's text; characters that are invalid in a header are percent-encoded. */
function escapeHeader(text: string): string {
  return text.replace(/[^\x21-\x7e]|[<>"]/g, (character) =>
    // A lone surrogate has no UTF-8 form.
    encodeURIComponent(character.isWellFormed() ? character : '\ufffd'),
  );
}
