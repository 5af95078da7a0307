// From an answer to bytes: conditional requests, compression. Written directly to Node's response, because Fastify would set
// its own headers.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerShapes } from './answer-shapes.ts';
import { chooseEncoding } from './content-encoding.ts';
import { makeReady, type ReadyAnswer } from './ready-answer.ts';
import type { Answer } from './route.ts';

export function writeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  shapes?: AnswerShapes,
): void | Promise<void> {
  return writeReady(request, reply, makeReady(answer, shapes));
}

export function writeReady(request: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer): void | Promise<void> {
  const { status, unchanged, compressed } = answer;
  if (unchanged !== null && isUnchanged(request, unchanged.tag)) return end(reply, 304, unchanged.headers);
  const encoding =
    compressed === null || request.method === 'HEAD' ? null : chooseEncoding(request.headers['accept-encoding']);
  if (compressed === null || encoding === null) return end(reply, status, answer.headers, answer.bytes);
  const headers = compressed.headers(encoding);
  const bytes = compressed.bytes(encoding);
  if (Buffer.isBuffer(bytes)) return end(reply, status, headers, bytes);
  return bytes.then((done) => end(reply, status, headers, done));
}

/** The answer to OPTIONS on any path. */
export function writePreflight(request: FastifyRequest, reply: FastifyReply): void {
  const headers = [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Allow-Methods',
    'GET,HEAD,PUT,PATCH,POST,DELETE',
    'Vary',
    'Access-Control-Request-Headers',
  ];
  const requested = request.headers['access-control-request-headers'];
  if (requested) headers.push('Access-Control-Allow-Headers', String(requested));
  end(reply, 204, [...headers, 'Content-Length', '0']);
}

/** A longer body is sent in parts of this: the kernel takes megabytes at once, and holds the thread meanwhile. */
const partLength = 2 ** 18;

function end(
  reply: FastifyReply,
  status: number,
  headers: readonly string[],
  body: string | Buffer = '',
): void | Promise<void> {
  if (!reply.sent) reply.hijack();
  // Not if the client has gone.
  if (reply.raw.headersSent || reply.raw.destroyed) return;
  reply.bodyBytes = body.length;
  reply.raw.writeHead(status, headers as string[]);
  if (body.length > partLength) return sendParts(reply, body);
  reply.raw.end(body, 'latin1');
}

async function sendParts({ raw }: FastifyReply, body: string | Buffer): Promise<void> {
  // A client that goes takes the rest with it.
  await pipeline(Readable.from(inParts(body), { highWaterMark: 1 }), raw).catch(() => raw.destroy());
}

/** Others have their turn at the thread between two of them. */
async function* inParts(body: string | Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += partLength) {
    if (at > 0) await turn();
    const to = at + partLength;
    yield typeof body === 'string' ? Buffer.from(body.slice(at, to), 'latin1') : body.subarray(at, to);
  }
}

/** Whether the client has this body already and does not demand a new one. */
function isUnchanged({ headers }: FastifyRequest, tag: string): boolean {
  const held = headers['if-none-match'];
  if (!held || /(?:^|,)\s*no-cache\s*(?:,|$)/.test(headers['cache-control'] ?? '')) return false;
  if (held.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return held.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}
