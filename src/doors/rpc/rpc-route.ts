// JSON-RPC over HTTP: `POST /rpc` of the service, which another port may have at `/`.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { createDurationHistogram, type DurationSeries } from '../../../packages/kit/duration-histogram.ts';
import type { ClientOutcomes } from '../../../packages/kit/shares/client-outcomes.ts';
import { plainShapes } from '../../../packages/web-server/answer-shapes.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import { takesGzip } from '../../../packages/web-server/content-encoding.ts';
import { formatRpcRefusal } from '../../../packages/web-server/guard-web.ts';
import { isJsonType } from '../../../packages/web-server/json-type.ts';
import { RequestError, refuse } from '../../../packages/web-server/request-error.ts';
import { writeAnswer, writeParts } from '../../../packages/web-server/write-answer.ts';
import { authorize } from '../../api/frame/basic-auth.ts';
import type { HttpSettings } from '../../api/frame/http-settings.ts';
import { createRpcAnswerer, type RpcAnswer, type RpcAnswerer, type RpcOptions } from './answer-rpc.ts';
import { readBody } from './read-body.ts';
import type { RpcContext } from './reading/context.ts';
import { rpcCacheControl, rpcShapes, writeKept } from './write-kept.ts';

type RpcRouteOptions = Pick<RpcOptions, 'admission' | 'kept'> & {
  clientOf: ClientOf;
  context: RpcContext;
  settings: HttpSettings;
  log: Logger;
  registry: Registry;
  outcomes: ClientOutcomes;
};

const path = '/rpc';
const maxBodyBytes = 2 ** 20;
/** In place of another body: no JSON. */
const tooLong = Buffer.alloc(0);

/** What answers is shared with web sockets. */
export function addRpcRoute(app: FastifyInstance, options: RpcRouteOptions): RpcAnswerer {
  const { context, settings, log, registry, admission, clientOf, outcomes, kept } = options;
  const answerer = createRpcAnswerer({
    ...{ context, admission, kept: kept ?? null },
    onFailure: (error, method) => log.error({ err: error, method }, 'A JSON-RPC request failed'),
    onAnswer: measureAnswers(registry, outcomes),
  });

  app.route({
    method: 'POST',
    url: path,
    // After the hooks of the service, which may have refused it.
    onRequest(request, reply) {
      if (!isSentAsJson(request)) return refuseType(request, reply);
      readBody(request.raw, maxBodyBytes, (body) => answerBody(request, reply, body ?? tooLong));
    },
    handler: () => undefined,
  });
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: path,
    onRequest: refuseMethod,
    handler: () => undefined,
  });
  return answerer;

  function answerBody(request: FastifyRequest, reply: FastifyReply, body: Buffer): void {
    // Credentials may be wrong.
    const found = request.headers.authorization === undefined ? answerer.find(body, clientOf(request.raw)) : undefined;
    const written = found ? writeKept(request, reply, found) : respond(request, reply, body);
    written?.catch((error: unknown) => {
      log.error({ err: error }, 'A JSON-RPC answer could not be written');
      reply.raw.destroy();
    });
  }

  async function respond(request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<void> {
    try {
      authorize(request.headers.authorization, settings);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return write(request, reply, { status: error.status, body: formatRpcRefusal(error) });
    }
    const asker = { client: clientOf(request.raw), isWanted: () => !reply.raw.destroyed };
    return write(request, reply, await answerer.answer(body, asker));
  }
}

/** `reply` is written to whatever becomes of the client. */
async function write(request: FastifyRequest, reply: FastifyReply, answer: RpcAnswer): Promise<void> {
  if ('gzip' in answer) return writeCompressed(request, reply, answer.gzip);
  const { status, body } = answer;
  if (status === 204) return writeParts(reply, 204, noBody, ['']);
  const retryAfterSeconds = status === 503 || status === 429 ? 1 : undefined;
  await writeAnswer(request, reply, { status, body, cacheControl: rpcCacheControl, retryAfterSeconds }, rpcShapes);
}

const noBody = ['Access-Control-Allow-Origin', '*', 'cache-control', rpcCacheControl];

/** As it is for a client that takes it; for another it is expanded while the client reads. */
async function writeCompressed(request: FastifyRequest, reply: FastifyReply, gzip: Buffer): Promise<void> {
  if (takesGzip(request.headers['accept-encoding'])) {
    const body = gzip.toString('latin1');
    return writeAnswer(
      request,
      reply,
      { status: 200, body, contentEncoding: 'gzip', cacheControl: rpcCacheControl },
      rpcShapes,
    );
  }
  reply.hijack();
  const { raw } = reply;
  // A gzip file ends with the length of what is in it.
  const length = gzip.readUInt32LE(gzip.length - 4);
  reply.bodyBytes = length;
  raw.writeHead(200, {
    ...{
      'Access-Control-Allow-Origin': '*',
      'cache-control': rpcCacheControl,
      'Content-Type': plainShapes.contentType,
    },
    ...{ 'Content-Length': length, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' },
  });
  // A client that goes takes the rest with it.
  await pipeline(Readable.from([gzip]), createGunzip(), raw).catch(() => raw.destroy());
}

/**
 * Some programs name no type, or that of any text: `fetch` does where it gets none. A page can send these without a
 * preflight request, but its browser always says who asks.
 */
function isSentAsJson({ headers }: FastifyRequest): boolean {
  const type = headers['content-type'] ?? '';
  if (isJsonType(type)) return true;
  return plainTypes.test(type) && headers.origin === undefined && headers['sec-fetch-site'] === undefined;
}

const plainTypes = /^\s*(?:(?:text\/plain|application\/octet-stream)\s*(?:;|$)|$)/i;

function refuseMethod(request: FastifyRequest, reply: FastifyReply): void {
  const error = refuse('methodNotAllowed', { method: request.method });
  const answer = { status: error.status, body: formatRpcRefusal(error), cacheControl: rpcCacheControl };
  void writeAnswer(request, reply, { ...answer, headers: ['Allow', 'POST'] }, rpcShapes);
}

function refuseType(request: FastifyRequest, reply: FastifyReply): void {
  const type = request.headers['content-type'] ?? '';
  const error = refuse('notJson', { type: type.slice(0, 100) });
  const answer = { status: error.status, body: formatRpcRefusal(error), cacheControl: rpcCacheControl };
  void writeAnswer(request, reply, answer, rpcShapes);
}

/** For a port of JSON-RPC alone, where its clients expect it: `/` is `/rpc`. */
export function askAtRoot(request: IncomingMessage): void {
  if (request.url === '/' || request.url === '') request.url = path;
}

/** A relay waits for the network. */
const relayed: ReadonlySet<string> = new Set(['eth_sendRawTransaction', 'eth_sendRawTransactionSync']);

/** Plain counts, because a kept answer takes little more time than updating a metric. */
function measureAnswers(registry: Registry, outcomes: ClientOutcomes): RpcOptions['onAnswer'] {
  type Measured = { codes: Map<number, number>; duration: DurationSeries };
  const byMethod = new Map<string, Measured>();
  new Counter({
    name: 'rpc_requests_total',
    help: 'JSON-RPC requests answered, by method and code of the error (0 = none); each of a batch counts.',
    labelNames: ['method', 'code'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [method, { codes }] of byMethod) {
        for (const [code, count] of codes) this.inc({ method, code }, count);
      }
    },
  });
  const durations = createDurationHistogram({
    name: 'rpc_request_duration_seconds',
    help: 'Time from a JSON-RPC request to its answer, by method.',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registry,
  });
  return (method, { code, outcome, durationMs, client }) => {
    outcomes.note(client, outcome, relayed.has(method) ? null : durationMs);
    let measured = byMethod.get(method);
    if (!measured) {
      measured = { codes: new Map(), duration: durations.addSeries({ method }) };
      byMethod.set(method, measured);
    }
    measured.codes.set(code, (measured.codes.get(code) ?? 0) + 1);
    measured.duration.observe(durationMs / 1000);
  };
}
