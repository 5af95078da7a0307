// Node's HTTP server within the limits of connections. Fastify makes one for each address that a name stands for, all of
// them through here.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { ClientConnections } from './client-connections.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { refuseBytes } from './refuse-bytes.ts';

export function createListener(
  handler: RequestListener,
  { headTimeoutMs, bodyTimeoutMs, idleTimeoutMs }: ConnectionLimits,
  connections: ClientConnections,
): Server {
  const server = createServer(
    {
      headersTimeout: headTimeoutMs,
      requestTimeout: headTimeoutMs + bodyTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      // How exactly the two first are kept.
      connectionsCheckingInterval: Math.max(20, Math.min(1000, headTimeoutMs / 4)),
    },
    connections.inTurn(handler),
  );
  server.on('clientError', refuseBytes);
  connections.watch(server);
  return server;
}
