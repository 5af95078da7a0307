// From an answer to the bytes on the wire: headers in the order that clients of the mirror node know, entity tag,
// conditional requests, compression. Written straight to Node's response, because Fastify would set headers of its own.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../route.ts';
import { type AnswerShapes, plainShapes } from './answer-shapes.ts';
import { chooseEncoding, compress, minCompressedBytes } from './content-encoding.ts';

export function writeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  shapes: AnswerShapes = plainShapes,
): void | Promise<void> {
  const { body } = answer;
  const sizeBytes = Buffer.byteLength(body);
  // As many bytes as characters: ASCII, which Node writes faster when it is called Latin-1.
  const encodingOfBody = sizeBytes === body.length ? 'latin1' : 'utf8';
  const tag = shapes.formatEntityTag(body, { status: answer.status, sizeBytes });
  const tagged = tag === null ? [] : ['ETag', tag];
  const headers = ['Access-Control-Allow-Origin', '*'];
  if (answer.cacheControl) headers.push('cache-control', answer.cacheControl);
  if (answer.contentSecurityPolicy) headers.push('Content-Security-Policy', answer.contentSecurityPolicy);
  const link = answer.next ? ['Link', `<${escapeHeader(answer.next)}>; rel="next"`] : [];
  if (answer.status < 300 && tag !== null && isUnchanged(request, tag)) {
    headers.push(...link, ...tagged);
    end(reply, 304, headers);
    return;
  }
  if (answer.location) headers.push('Location', escapeHeader(answer.location));
  headers.push('Content-Type', answer.contentType ?? shapes.contentType, ...link);
  const encoding =
    sizeBytes < minCompressedBytes || request.method === 'HEAD'
      ? null
      : chooseEncoding(request.headers['accept-encoding']);
  if (encoding === null) {
    headers.push('Content-Length', String(sizeBytes), ...tagged, 'Vary', 'Accept-Encoding');
    end(reply, answer.status, headers, body, encodingOfBody);
    return;
  }
  headers.push(...tagged, 'Vary', 'Accept-Encoding', 'Content-Encoding', encoding);
  const compressed = compress(Buffer.from(body), encoding);
  if (Buffer.isBuffer(compressed)) return end(reply, answer.status, headers, compressed);
  return compressed.then((bytes) => end(reply, answer.status, headers, bytes));
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

function end(
  reply: FastifyReply,
  status: number,
  headers: string[],
  body: string | Buffer = '',
  encodingOfBody: BufferEncoding = 'utf8',
): void {
  if (!reply.sent) reply.hijack();
  // Not if the client has gone.
  if (reply.raw.headersSent || reply.raw.destroyed) return;
  reply.raw.writeHead(status, headers);
  reply.raw.end(body, encodingOfBody);
}

/** Whether the client has this body already and does not demand a new one. */
function isUnchanged({ headers }: FastifyRequest, tag: string): boolean {
  const held = headers['if-none-match'];
  if (!held || /(?:^|,)\s*no-cache\s*(?:,|$)/.test(headers['cache-control'] ?? '')) return false;
  if (held.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return held.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}

/** A link repeats what the client typed; what must not stand in a header is percent-encoded there. */
function escapeHeader(text: string): string {
  return text.replace(/[^\x21-\x7e]|[<>"]/g, (character) =>
    // A lone surrogate has no UTF-8 form.
    encodeURIComponent(character.isWellFormed() ? character : '\ufffd'),
  );
}
