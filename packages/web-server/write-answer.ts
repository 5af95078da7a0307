// From an answer to bytes: conditional requests, compression. Written directly to Node's response, because Fastify
// would set its own headers.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Outcome } from '../kit/shares/client-outcomes.ts';
import type { AnswerShapes } from './answer-shapes.ts';
import { chooseEncoding } from './content-encoding.ts';
import { makeReady, type ReadyAnswer } from './ready-answer.ts';
import { outcomeOfStatus } from './request-error.ts';
import type { Answer } from './route.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Of the body as sent; 0 if Fastify itself wrote it. */
    bodyBytes: number;
    /** How it ended, once its answer is written; null of streams, and if its client has gone before. */
    ended: Outcome | null;
    /** Of a refusal that its status alone does not tell. */
    refusedAs: Outcome | null;
  }
}

/** When a long body is written: the system copies it while the thread waits. Rejects with LineFull. */
export type LongWrites = (request: FastifyRequest, write: () => void) => Promise<void>;

export function writeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  shapes?: AnswerShapes,
): void | Promise<void> {
  return writeReady(request, reply, makeReady(answer, shapes));
}

/** `long`: of bodies that are kept as bytes because of their size; default: they are written at once, as others are. */
export function writeReady(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ReadyAnswer,
  long?: LongWrites,
): void | Promise<void> {
  const { status, unchanged, compressed } = answer;
  if (unchanged !== null && isUnchanged(request, unchanged.tag)) return end(reply, 304, unchanged.headers);
  const encoding =
    compressed === null || request.method === 'HEAD' ? null : chooseEncoding(request.headers['accept-encoding']);
  if (compressed === null || encoding === null) {
    const write = (): void => end(reply, status, answer.headers, answer.bytes);
    return long && Buffer.isBuffer(answer.bytes) && request.method !== 'HEAD' ? long(request, write) : write();
  }
  const headers = compressed.headers(encoding);
  const bytes = compressed.bytes(encoding);
  if (Buffer.isBuffer(bytes)) return end(reply, status, headers, bytes);
  return bytes.then((done) => end(reply, status, headers, done));
}

/** The answer to OPTIONS on any path. `origin`: the page that may send cookies, too. */
export function writePreflight(request: FastifyRequest, reply: FastifyReply, origin?: string): void {
  const headers = [
    'Access-Control-Allow-Origin',
    origin ?? '*',
    'Access-Control-Allow-Methods',
    'GET,HEAD,PUT,PATCH,POST,DELETE',
    'Vary',
    origin === undefined ? 'Access-Control-Request-Headers' : 'Origin, Access-Control-Request-Headers',
    ...(origin === undefined ? [] : ['Access-Control-Allow-Credentials', 'true']),
  ];
  const requested = request.headers['access-control-request-headers'];
  if (requested) headers.push('Access-Control-Allow-Headers', String(requested));
  end(reply, 204, [...headers, 'Content-Length', '0']);
}

function end(reply: FastifyReply, status: number, headers: readonly string[], body: string | Buffer = ''): void {
  writeParts(reply, status, headers, [body]);
}

/** A body in pieces, of which texts have a character for each byte. */
export function writeParts(
  reply: FastifyReply,
  status: number,
  headers: readonly string[],
  parts: readonly (string | Buffer)[],
): void {
  if (!reply.sent) reply.hijack();
  const { raw } = reply;
  // Not if the client has gone.
  if (raw.headersSent || raw.destroyed) return;
  reply.ended = reply.refusedAs ?? outcomeOfStatus(status);
  reply.bodyBytes = parts.reduce((sum, { length }) => sum + length, 0);
  raw.writeHead(status, headers as string[]);
  const last = parts.length - 1;
  for (let at = 0; at < last; at++) raw.write(parts[at]!, 'latin1');
  raw.end(parts[last]!, 'latin1');
}

/** Whether the client has this body already and does not demand a new one. */
function isUnchanged({ headers }: FastifyRequest, tag: string): boolean {
  const held = headers['if-none-match'];
  if (!held || /(?:^|,)\s*no-cache\s*(?:,|$)/.test(headers['cache-control'] ?? '')) return false;
  if (held.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return held.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}
