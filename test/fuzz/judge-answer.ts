// Invariants of every answer, whatever the request.
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { AnswerValidator } from '../../packages/test-support/http/validate-answer.ts';
import { type FuzzRequest, toUrl } from './fuzz-request.ts';
import type { FuzzAnswer } from './send-request.ts';

/** One sentence for each fault; empty = a good answer. */
export function judgeAnswer(request: FuzzRequest, answer: FuzzAnswer, validator: AnswerValidator): string[] {
  const { method } = request;
  const { status, headers } = answer;
  const path = toUrl(request).split('#')[0]!;
  const faults: string[] = [];
  if (!(status in knownStatuses)) return [`status ${status}: ${answer.body.toString().slice(0, 300)}`];
  if (knownStatuses[status] === 'no body' && answer.body.length > 0) faults.push(`status ${status} has a body`);
  if (method === 'OPTIONS' && status !== 204 && status < 400) faults.push(`OPTIONS is answered with ${status}`);
  // Invalid HTTP has no method; only such answers have no tag, and errors of endpoints that answer as Java does.
  const asJava = headers['content-type'] === 'application/json;charset=UTF-8';
  // What is made compressed has no tag either.
  const isMade = /\/opcodes\/?(?:\?|$)/.test(path) && headers['content-encoding'] === 'gzip';
  const isRead = headers.etag !== undefined || isMade || (asJava && status >= 400);
  if (method === 'HEAD' && isRead) return answer.body.length > 0 ? [...faults, 'HEAD has a body'] : faults;
  if (knownStatuses[status] === 'no body') return faults;

  let body: Buffer;
  try {
    body = decodeBody(answer);
  } catch (error) {
    return [...faults, `the body cannot be decompressed: ${(error as Error).message}`];
  }
  const expectedTag = headers.etag?.startsWith('"0')
    ? `"0${createHash('md5').update(body).digest('hex')}"`
    : `W/"${body.length.toString(16)}-${createHash('sha1').update(body).digest('base64').slice(0, 27)}"`;
  if (headers.etag !== undefined && headers.etag !== expectedTag) faults.push(`ETag ${headers.etag} of another body`);
  if (status === 200 && headers.etag === undefined && !isMade) faults.push('no ETag');
  if (!headers['content-type']?.startsWith('application/json')) {
    if (status !== 200) faults.push(`an error as ${headers['content-type']}`);
    return faults;
  }
  const text = body.toString();
  if (!Buffer.from(text).equals(body)) faults.push('the body is no UTF-8');
  if (!/\/docs\//.test(path)) {
    const documented = (method === 'GET' || method === 'POST') && isRead ? method : null;
    const asked = documented === null ? 'another method' : path;
    faults.push(...validator.validate(asked, { status, text }, documented ?? 'GET'));
  }
  if (faults.length > 0) return faults;
  return judgeLink(text, headers);
}

// 400, 408, 413, 414, 417 and 431 also for invalid HTTP.
const knownStatuses: Readonly<Record<number, 'body' | 'no body'>> = {
  200: 'body',
  204: 'no body',
  206: 'body',
  // From a query of `/` that a browser sent, to the page.
  302: 'no body',
  304: 'no body',
  400: 'body',
  401: 'body',
  404: 'body',
  405: 'body',
  406: 'body',
  413: 'body',
  415: 'body',
  417: 'body',
  431: 'body',
  501: 'body',
};

/** The uncompressed body. */
export function decodeBody({ headers, body }: FuzzAnswer): Buffer {
  const decoders: Record<string, (bytes: Buffer) => Buffer> = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    deflate: inflateSync,
  };
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return body;
  const decode = decoders[encoding];
  if (!decode) throw new Error(`nobody knows "${encoding}"`);
  return decode(body);
}

function judgeLink(text: string, { link }: FuzzAnswer['headers']): string[] {
  const { links } = JSON.parse(text) as { links?: { next: string | null } };
  const next = links?.next ?? null;
  if ((next === null) !== (link === undefined)) return [`links.next is ${next}, but the header Link is ${link}`];
  return [];
}
