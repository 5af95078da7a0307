// Connection handling of every Fastify instance of the program: limits of time and number, and one interpretation of
// each request whatever its bytes.
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../kit/add-gauge.ts';
import { countPlaces } from '../kit/shares/door-places.ts';
import { type ClientConnections, createClientConnections, type EndReason, endReasons } from './client-connections.ts';
import { createOwnerOf } from './client-of.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { createListener, type TlsKeys } from './create-listener.ts';
import { endUpgrade, refuseUpgrade } from './guard-web.ts';
import { formatErrorBody, refuse } from './request-error.ts';
import { toOriginForm } from './request-target.ts';
import { accessForAll, type WebAccess } from './web-access.ts';
import { writeAnswer } from './write-answer.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Before it is closed: each connection ends with an answer that says so. Resolves when none is open, or in time.
     */
    drainConnections(): Promise<void>;
    /** The connection has an answer without end from now on; the code that writes it ends it. */
    handOverConnection(socket: Socket): void;
  }
}

export type GuardOptions = {
  limits: ConnectionLimits;
  /** How long a server that is shutting down accepts requests. */
  drainMs?: number;
  /** For the metrics of connections. */
  registry?: Registry;
  /** Set for HTTPS. */
  tls?: TlsKeys | null;
  /** Where HTTP/2 is spoken, a sentence for clients that speak it here. */
  http2Elsewhere?: string;
  /** Header `x-cluster-id` of every answer: which installation gave it. null = none. */
  clusterId?: string | null;
  /** Addresses of proxies: a connection of theirs is that of many clients. */
  trustProxy?: readonly string[];
  /** Of connections that want another protocol; default: everyone's. */
  access?: WebAccess;
  /** Answered beyond the limit of connections too. */
  isForOperators?(request: FastifyRequest): boolean;
};

/** A client wants another protocol on its connection, which is counted as before and ended by the code that took it. */
type OnUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

export type ConnectionGuard = {
  /** For `fastify()`. */
  options: {
    serverFactory(handler: (request: never, reply: never) => void): RawServerDefault;
    clientErrorHandler(): void;
    rewriteUrl(request: { url?: string }): string;
    return503OnClosing: false;
  };
  /** Whether it is shutting down. */
  isEnding(): boolean;
  /**
   * A further listener of the same routes with the same limits; it ends with the first one. `before` sees each request
   * first.
   */
  createListener(before: (request: IncomingMessage) => void, onUpgrade?: OnUpgrade): Server;
  /** To be called before any route or hook is added. */
  addTo(app: FastifyInstance): void;
};

export function createConnectionGuard(guarded: GuardOptions): ConnectionGuard {
  const { limits, registry, tls, isForOperators, drainMs = 0, clusterId = null, access = accessForAll } = guarded;
  const ownerOf = createOwnerOf(guarded.trustProxy);
  const shared = { clusterId, ownerOf, http2Elsewhere: guarded.http2Elsewhere };
  const connections = createClientConnections(limits, {
    ownerOf,
    ...(registry && { onEnd: countEnds(registry), counts: countPlaces('connections', registry) }),
  });
  if (registry) showOpen(registry, connections);
  let draining: Promise<void> | null = null;
  const drain = (): Promise<void> => {
    draining ??= drainMs === 0 ? Promise.resolve() : connections.drain(drainMs);
    return draining;
  };
  const further: Server[] = [];
  let handle: RequestListener;
  return {
    isEnding: () => draining !== null,
    options: {
      serverFactory(handler) {
        handle = withClusterId(handler as RequestListener, clusterId);
        return createListener(handle, limits, connections, { ...shared, tls });
      },
      // The listener has its own handler, even if Fastify would leave it to Node.
      clientErrorHandler: () => {},
      rewriteUrl: ({ url = '/' }) => toOriginForm(url),
      // Requests that came in time are answered.
      return503OnClosing: false,
    },
    createListener(before, onUpgrade) {
      const handler: RequestListener = (request, answer) => {
        before(request);
        handle(request, answer);
      };
      const server = createListener(handler, limits, connections, shared);
      if (onUpgrade) {
        server.on('upgrade', (request, socket, head) => {
          const own = socket as Socket;
          if (connections.isBeyondBound(own)) return void own.destroy();
          const refused = isAmbiguous(request) ? refuse('malformedRequest') : refuseUpgrade(request, access);
          if (refused) return endUpgrade(own, refused, clusterId);
          connections.handOver(own);
          onUpgrade(request, own, head);
        });
      }
      further.push(server);
      return server;
    },
    addTo(app) {
      app.decorate('drainConnections', drain);
      app.decorate('handOverConnection', connections.handOver);
      app.addHook('onRequest', (request, reply, done) => {
        // It came together with a request that ended the connection.
        if (request.raw.socket.destroyed) return void reply.hijack();
        if (isAmbiguous(request.raw)) return end(request, reply, 'malformedRequest');
        // Nothing is upgraded here, but Node skips bytes that follow such a request.
        if (request.headers.upgrade !== undefined) reply.raw.shouldKeepAlive = false;
        if (!connections.isBeyondBound(request.raw.socket)) return done();
        // Makes room for the next one.
        reply.raw.shouldKeepAlive = false;
        if (isForOperators?.(request)) return done();
        end(request, reply, 'tooManyConnections');
      });
      app.addHook('onRoute', (route) => {
        route.errorHandler ??= leaveGone;
      });
      app.addHook('preClose', async () => {
        await drain();
        for (const server of further) server.close();
        connections.beginClosing();
      });
      app.addHook('onClose', (_app, done) => {
        connections.close();
        done();
      });
    },
  };
}

/** Set before anything answers, so that the code that writes the head of an answer keeps it. */
function withClusterId(handle: RequestListener, clusterId: string | null): RequestListener {
  if (clusterId === null) return handle;
  return (request, answer) => {
    answer.setHeader('x-cluster-id', clusterId);
    handle(request, answer);
  };
}

function end(request: FastifyRequest, reply: FastifyReply, code: 'malformedRequest' | 'tooManyConnections'): void {
  reply.raw.shouldKeepAlive = false;
  const { status, messages, retryAfterSeconds, outcome } = refuse(code);
  reply.refusedAs = outcome;
  void writeAnswer(request, reply, { status, body: formatErrorBody(messages), retryAfterSeconds });
}

/**
 * A client that went in the middle of its body waits for no answer, and nothing of ours has failed. Others have their
 * handler.
 */
function leaveGone(error: unknown, { raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !raw.socket.destroyed) throw error;
  reply.hijack();
}

/**
 * A version with another framing, HTTP/1.0 with a framing that this version does not have (RFC 9112 §6.1), a framing
 * other than by chunks (§6.1), or two hosts (§3.2): Node accepts all of these.
 */
function isAmbiguous({ httpVersionMajor, httpVersionMinor, headers, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true;
  const framing = headers['transfer-encoding'];
  if (framing !== undefined && (httpVersionMinor === 0 || framing.trim().toLowerCase() !== 'chunked')) return true;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

function countEnds(registry: Registry): (reason: EndReason) => void {
  const ends = new Counter({
    name: 'http_connections_ended_total',
    help: 'Connections that were ended before their clients did, by reason.',
    labelNames: ['reason'] as const,
    registers: [registry],
  });
  // Present from the start: otherwise a rate misses the first one.
  for (const reason of endReasons) ends.inc({ reason }, 0);
  return (reason) => ends.inc({ reason });
}

function showOpen(registry: Registry, connections: ClientConnections): void {
  addGauge(registry, {
    name: 'http_connections_open',
    help: 'Open connections of clients.',
    read: () => connections.count(),
  });
}
