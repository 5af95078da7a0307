// Sends a kept result as the answer to one request: what stands around it is written around it, and nothing is joined,
// encoded or compressed again.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DeflatedPart, gzipAround } from '../../../packages/kit/gzip-around.ts';
import { type AnswerShapes, plainShapes } from '../../../packages/web-server/answer-shapes.ts';
import { chooseEncoding, minCompressedBytes } from '../../../packages/web-server/content-encoding.ts';
import { makeReady } from '../../../packages/web-server/ready-answer.ts';
import { writeAnswer, writeParts } from '../../../packages/web-server/write-answer.ts';
import { type FinishedResult, textOf } from './finished-result.ts';
import type { KeptAnswer } from './kept-results.ts';
import { beginResult, endResult } from './terms/envelope.ts';

/** No client may keep an answer to POST: it has no tag. */
export const rpcShapes: AnswerShapes = { ...plainShapes, formatEntityTag: () => null };
export const rpcCacheControl = 'no-store';

/** Gzip first: it can be put together of parts. */
const encodings = ['gzip', 'br', 'deflate'] as const;

/** Written at once, or when the result is compressed for the first time. */
export function writeKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, result }: Pick<KeptAnswer, 'id' | 'result'>,
): void | Promise<void> {
  const begin = beginResult(id);
  const { bytes, compressed } = result;
  const sizeBytes = begin.length + bytes.length + endResult.length;
  const isLong = compressed !== null && sizeBytes >= minCompressedBytes;
  const encoding = isLong ? chooseEncoding(request.headers['accept-encoding'], encodings) : null;
  if (encoding === null) {
    const headers = [...head, String(sizeBytes), ...tail];
    if (typeof bytes === 'string') return writeParts(reply, 200, headers, [begin + bytes + endResult]);
    return writeParts(reply, 200, headers, [begin, bytes, endResult]);
  }
  if (encoding !== 'gzip') return writeWhole(request, reply, begin, result);
  const part = compressed!.part();
  const write = (deflated: DeflatedPart): void =>
    writeParts(reply, 200, gzipHeaders, gzipAround(begin, deflated, endResult));
  return part instanceof Promise ? part.then(write) : write(part);
}

function writeWhole(
  request: FastifyRequest,
  reply: FastifyReply,
  begin: string,
  result: FinishedResult,
): void | Promise<void> {
  const body = `${begin}${textOf(result)}${endResult}`;
  return writeAnswer(request, reply, { status: 200, body, cacheControl: rpcCacheControl }, rpcShapes);
}

const { headers } = makeReady({ status: 200, body: '', cacheControl: rpcCacheControl }, rpcShapes);
const lengthAt = headers.indexOf('Content-Length') + 1;
const head = headers.slice(0, lengthAt);
const tail = headers.slice(lengthAt + 1);
const gzipHeaders = [...head.slice(0, -1), ...tail, 'Content-Encoding', 'gzip'];
