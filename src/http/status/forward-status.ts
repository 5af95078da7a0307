// The query service's port also answers for the status summary: what begins with /api/v2 or /status goes to the status
// service as it is, and its answer comes back as it is. While that service starts anew, reading requests wait for it.
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../frame/request-error.ts';
import { createResponder } from '../frame/responder.ts';
import { authorHeader, clientHeader, secretHeader } from './status-gate.ts';

/** Where the status service listens now; null while there is none. */
export type FindStatusService = () => { port: number; secret: string } | null;

/** A process takes its time to start on a busy machine. */
const patienceMs = 30_000;
const answerWithinMs = 10_000;
const pauseMs = 100;

export function addStatusForwarding(app: FastifyInstance, findService: FindStatusService): void {
  const responder = createResponder(app.log);
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Bodies pass through unread.
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const url of ['/api/v2/*', '/status', '/status/*']) {
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
    const until = performance.now() + patienceMs;
    for (;;) {
      const service = findService();
      const answer = service && (await ask(service, request));
      if (answer) return passOn(answer, reply);
      const mayWait = request.method === 'GET' || request.method === 'HEAD';
      const isEnding = !app.server.listening;
      if (!mayWait || isEnding || performance.now() > until || request.raw.destroyed) break;
      await sleep(pauseMs);
    }
    await responder.respond(request, reply, async () => {
      throw refuse('unavailable');
    });
  }
}

/** null = the service was not reached, or left before it answered. */
function ask(
  { port, secret }: { port: number; secret: string },
  request: FastifyRequest,
): Promise<IncomingMessage | null> {
  const { connection: _connection, [authorHeader]: _author, ...headers } = request.headers;
  return new Promise((done) => {
    const outgoing = sendRequest(
      {
        host: '127.0.0.1',
        port,
        // As it was typed: a path that was resolved could lead elsewhere.
        path: request.raw.url,
        method: request.method,
        headers: {
          ...headers,
          [clientHeader]: request.ip,
          // Says who forwards, not who asks: whoever asks cannot set it.
          [secretHeader]: secret,
        },
        timeout: answerWithinMs,
      },
      done,
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', () => done(null));
    const body = request.body as NodeJS.ReadableStream | undefined;
    if (body) body.pipe(outgoing);
    else outgoing.end();
  });
}

function passOn(answer: IncomingMessage, reply: FastifyReply): void {
  reply.hijack();
  const { connection: _connection, 'keep-alive': _keepAlive, ...headers } = answer.headers;
  reply.raw.writeHead(answer.statusCode ?? 502, headers);
  answer.pipe(reply.raw);
  // A service that dies in the middle of an answer: the client sees that it is not whole.
  answer.on('error', () => reply.raw.destroy());
}
