// Node's HTTP server, or HTTPS if there is a certificate, with limits on connections. Fastify makes one for each
// address of a name, all of them here.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { ClientConnections } from './client-connections.ts';
import { createOwnerOf, type OwnerOf } from './client-of.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { connectionsBeyondBound } from './connection-places.ts';
import { limitSockets } from './limit-sockets.ts';
import { refuseBytes } from './refuse-bytes.ts';
import { createRefuseHttp2 } from './refuse-http2.ts';

/** Certificate chain and private key, as PEM. */
export type TlsKeys = { cert: string; key: string };

export type ListenerOptions = {
  tls?: TlsKeys | null;
  clusterId: string | null;
  ownerOf?: OwnerOf;
  /** Where HTTP/2 is spoken, a sentence for clients that speak it here. */
  http2Elsewhere?: string;
};

export function createListener(
  handler: RequestListener,
  limits: ConnectionLimits,
  connections: ClientConnections,
  { tls, clusterId, ownerOf = createOwnerOf(), http2Elsewhere: elsewhere }: ListenerOptions,
): Server {
  const { headTimeoutMs, bodyTimeoutMs, idleTimeoutMs, maxConnections } = limits;
  const options = {
    headersTimeout: headTimeoutMs,
    requestTimeout: headTimeoutMs + bodyTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    // How precisely the first two are enforced.
    connectionsCheckingInterval: Math.max(20, Math.min(1000, headTimeoutMs / 4)),
  };
  const inTurn = connections.inTurn(handler);
  const server = tls
    ? (createTlsServer({ ...options, ...tls, handshakeTimeout: headTimeoutMs }, inTurn) as unknown as Server)
    : createServer(options, inTurn);
  // Connections before their TLS handshake are not yet HTTP connections.
  if (tls) limitSockets(server, { max: 2 * (maxConnections + connectionsBeyondBound), ownerOf });
  server.on(
    'clientError',
    refuseBytes({ clusterId, refuseHttp2: createRefuseHttp2({ ownerOf, clusterId, elsewhere }) }),
  );
  connections.watch(server, tls ? 'secureConnection' : 'connection');
  return server;
}
