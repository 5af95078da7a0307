// The connections of a gRPC port: how many, how long one may say nothing, with TLS or without, and how they end.
import { createServer, type Server as NetServer } from 'node:net';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import { pause } from '../../../packages/kit/pause.ts';
import { countPlaces } from '../../../packages/kit/shares/door-places.ts';
import { createOwnerOf } from '../../../packages/web-server/client-of.ts';
import { limitSockets } from '../../../packages/web-server/limit-sockets.ts';

export type GrpcListenerOptions = {
  grpc: Server;
  registry: Registry;
  /** Of the gauge of open connections. */
  gauge: { name: string; help: string };
  door: 'grpcConnections' | 'blockConnections';
  maxConnections: number;
  /** PEM; null = without TLS. */
  tls: { certificate: Buffer; key: Buffer } | null;
  /** How long a connection may say nothing at first, ms. */
  requestMs: number;
};

/** Of HTTP/2, with the head of the first frame; a client of TLS says more. */
const prefaceBytes = 24 + 9;
const closeWithinMs = 2000;

export function createGrpcListener(options: GrpcListenerOptions) {
  const { grpc, registry, gauge, door, maxConnections, tls, requestMs } = options;
  const injector = grpc.createConnectionInjector(
    tls
      ? ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.certificate }])
      : ServerCredentials.createInsecure(),
  );
  let connections = 0;
  addGauge(registry, { ...gauge, read: () => connections });
  const server: NetServer = createServer((socket) => {
    if (socket.destroyed) return;
    connections += 1;
    const silent = setTimeout(() => {
      if (socket.bytesRead < prefaceBytes) socket.destroy();
    }, requestMs).unref();
    socket.on('close', () => {
      clearTimeout(silent);
      connections -= 1;
    });
    socket.on('error', () => socket.destroy());
    injector.injectConnection(socket);
  });
  limitSockets(server, {
    ...{ max: maxConnections, ownerOf: createOwnerOf(), counts: countPlaces(door, registry) },
    isIdle: ({ bytesRead }) => bytesRead < prefaceBytes,
  });
  return {
    /** To listen on a port. */
    server,
    /** Calls end soon, or are ended. */
    async close(): Promise<void> {
      const ended = new Promise<void>((done) => {
        server.close(() => done());
      });
      // Connections end when the last call of each has its status.
      injector.drain(closeWithinMs);
      await Promise.race([ended, pause(closeWithinMs)]);
      injector.destroy();
      grpc.forceShutdown();
    },
  };
}
