// Forwards requests for /api/v2 and /status from the query service's port to the status service. Each is rebuilt from a
// closed list of headers and the whole body, without the client's framing and without that service's secret. While it
// restarts, reading requests wait for it. A service on another machine gets no client address, only the header `via`.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { request as sendTlsRequest, Agent as TlsAgent } from 'node:https';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pause } from '../../kit/pause.ts';
import { createClientLine, LineFull } from '../../kit/shares/client-line.ts';
import { doorShares } from '../../kit/shares/door-shares.ts';
import { toClientNetwork } from '../../web-server/client-network.ts';
import { refuse } from '../../web-server/request-error.ts';
import { createResponder } from '../../web-server/responder.ts';
import { statusRedirects } from './page/add-status-page-routes.ts';
import { clientHeader, forwardHeader, forwardKeyOf } from './status-gate.ts';

/** On this machine; it recognizes this program by the secret. */
export type LocalStatusService = { port: number; secret: string };
/** On another machine: `https://host:port`, and its certificate authorities if they are not the default ones. */
export type RemoteStatusService = { origin: string; ca: string | undefined };

/** Where the status service listens now; null while there is none. */
export type FindStatusService = () => LocalStatusService | RemoteStatusService | null;

/** A process starts slowly on a busy machine. */
const maxWaitMs = 30_000;
const answerWithinMs = 10_000;
const pauseMs = 100;
/** The limit of the status service itself. */
const maxBodyBytes = 256 * 1024;
const { places: maxConnections, waitMs: maxLineMs } = doorShares.forwarded;
/** Of requests that wait for one of these, in turn of their clients; more are refused. */
const maxWaiting = 192;
/**
 * So many are forwarded beyond that, of clients with nothing else: while the service restarts, requests wait for it.
 */
const keptConnections = 16;

const forwardedHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'origin',
  'referer',
  'user-agent',
] as const;

/** RFC 9110 §7.6.1: for one connection only. The length is that of the forwarded body. */
const ownToConnection = ['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'content-length'];

type Agents = Record<'http:' | 'https:', { reading: Agent; writing: Agent }>;
type Question = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined };
type Answer = { status: number; headers: Record<string, string | string[]>; body: Buffer };

export function addStatusForwarding(app: FastifyInstance, findService: FindStatusService): void {
  const responder = createResponder(app.log);
  const line = createClientLine({
    ...{ concurrent: maxConnections, kept: keptConnections, usualMs: 20 },
    ...{ waiting: { count: maxWaiting }, maxWaitMs: maxLineMs },
  });
  // A request without a body is fully written when its answer arrives.
  const maxSockets = maxConnections + keptConnections;
  const [reading, writing] = [{ keepAlive: true, maxSockets }, { maxSockets }];
  const agents: Agents = {
    'http:': { reading: new Agent(reading), writing: new Agent(writing) },
    'https:': { reading: new TlsAgent(reading), writing: new TlsAgent(writing) },
  };
  app.addHook('onClose', (_app, done) => {
    for (const { reading, writing } of Object.values(agents)) [reading, writing].map((agent) => agent.destroy());
    done();
  });
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    for (const url of ['/api/v2/*', '/status', '/status/*', ...statusRedirects.keys()]) {
      scope.route({
        method: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
        url,
        handler: (request, reply) => {
          forward(request, reply).catch((error: Error) => {
            app.log.error(
              { err: error, url: request.raw.url },
              'A request could not be forwarded to the status service',
            );
            reply.raw.destroy();
          });
        },
      });
    }
  });

  async function forward(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await line.pass(toClientNetwork(request.ip), () => forwardOne(request, reply));
    } catch (error) {
      if (!(error instanceof LineFull)) throw error;
      const refusal = refuse(error.by === 'client' ? 'overShare' : 'overloaded');
      await responder.respond(request, reply, () => Promise.reject(refusal));
    }
  }

  async function forwardOne(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const until = performance.now() + maxWaitMs;
    for (;;) {
      const service = findService();
      const isLoop = service !== null && 'origin' in service && isForwarded(request);
      const answer = service && !isLoop && (await ask(service, toQuestion(request, isReading, service), agents));
      if (answer) return send(answer, reply);
      if (isLoop) break;
      const isEnding = !app.server.listening;
      if (!isReading || isEnding || performance.now() > until || reply.raw.destroyed) break;
      await pause(pauseMs);
    }
    await responder.respond(request, reply, async () => {
      throw refuse('unavailable');
    });
  }
}

const viaValue = '1.1 ledger-mirror';

/** A status service that is configured as one on another machine may turn out to be this program. */
function isForwarded({ headers }: FastifyRequest): boolean {
  return headers.via?.includes(viaValue) === true;
}

function toQuestion(
  request: FastifyRequest,
  isReading: boolean,
  service: LocalStatusService | RemoteStatusService,
): Question {
  const headers: Record<string, string> = {};
  for (const name of forwardedHeaders) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  if ('secret' in service) {
    headers[forwardHeader] = forwardKeyOf(service.secret);
    headers[clientHeader] = request.ip;
  } else headers.via = viaValue;
  // The body of a reading request is ignored: Node skips it.
  const body = isReading ? undefined : ((request.body as Buffer | undefined) ?? Buffer.alloc(0));
  // Unchanged: a resolved path could mean another.
  return { method: request.method, path: request.raw.url ?? '/', headers, body };
}

/** null = the service was not reached, or disconnected before it had answered. */
async function ask(
  service: LocalStatusService | RemoteStatusService,
  { method, path, headers, body }: Question,
  agents: Agents,
): Promise<Answer | null> {
  const { protocol, hostname, port } = new URL(
    'origin' in service ? service.origin : `http://127.0.0.1:${service.port}`,
  );
  // An agent passes a connection on to a waiting request, unless it is closed.
  const own = body === undefined ? {} : { 'content-length': String(body.length), connection: 'close' };
  const isTls = protocol === 'https:';
  const pool = agents[isTls ? 'https:' : 'http:'];
  const outgoing = (isTls ? sendTlsRequest : sendRequest)({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port || undefined,
    path,
    method,
    headers: { ...headers, ...own },
    agent: body === undefined ? pool.reading : pool.writing,
    ...('origin' in service && service.ca !== undefined && { ca: service.ca }),
  });
  const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), answerWithinMs);
  outgoing.end(body);
  try {
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks = await incoming.toArray();
    return toAnswer(method, incoming, Buffer.concat(chunks));
  } catch {
    // There is no complete answer to forward.
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function toAnswer(method: string, { statusCode, headers }: IncomingMessage, body: Buffer): Answer {
  const status = statusCode!;
  const passed = Object.entries(headers).filter(([name]) => !ownToConnection.includes(name)) as [string, string][];
  // HEAD has the length of the body that it omits.
  const length = method === 'HEAD' ? headers['content-length'] : String(body.length);
  if (length !== undefined && status !== 204 && status !== 304) passed.push(['content-length', length]);
  return { status, headers: Object.fromEntries(passed), body };
}

function send({ status, headers, body }: Answer, reply: FastifyReply): void {
  reply.hijack();
  if (reply.raw.destroyed) return;
  reply.raw.writeHead(status, headers);
  reply.raw.end(body);
}
