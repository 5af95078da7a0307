// Node's HTTP server, or HTTPS where there is a certificate, within the limits of connections. Fastify makes one for each
// address that a name stands for, all of them through here.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type ClientConnections, connectionsBeyondBound } from './client-connections.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { refuseBytes } from './refuse-bytes.ts';

/** Certificate chain and private key, as PEM. */
export type TlsKeys = { cert: string; key: string };

export function createListener(
  handler: RequestListener,
  limits: ConnectionLimits,
  connections: ClientConnections,
  tls?: TlsKeys | null,
): Server {
  const { headTimeoutMs, bodyTimeoutMs, idleTimeoutMs, maxConnections } = limits;
  const options = {
    headersTimeout: headTimeoutMs,
    requestTimeout: headTimeoutMs + bodyTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    // How exactly the two first are kept.
    connectionsCheckingInterval: Math.max(20, Math.min(1000, headTimeoutMs / 4)),
  };
  const inTurn = connections.inTurn(handler);
  const server = tls
    ? (createTlsServer({ ...options, ...tls, handshakeTimeout: headTimeoutMs }, inTurn) as unknown as Server)
    : createServer(options, inTurn);
  // Those that have not shaken hands yet are no connections of HTTP.
  if (tls) server.maxConnections = 2 * (maxConnections + connectionsBeyondBound);
  server.on('clientError', refuseBytes);
  connections.watch(server, tls ? 'secureConnection' : 'connection');
  return server;
}
