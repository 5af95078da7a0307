// The gRPC port: the services of a mirror node, health and reflection. A client that does not read gets no more
// messages, and is ended when too many wait for it.
import type { Server as NetServer } from 'node:net';
import {
  type handleServerStreamingCall,
  Server,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ClientOutcomes } from '../../../packages/kit/shares/client-outcomes.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import { answerConversation } from './answer-conversation.ts';
import { createMessageAnswerer, type Run } from './answer-messages.ts';
import { createCallPlaces } from './call-places.ts';
import { loadDefinitions, toService } from './definitions.ts';
import { endUnfinished } from './end-unfinished.ts';
import { toStatus } from './grpc-error.ts';
import { createGrpcListener } from './grpc-listener.ts';
import { createHealth } from './health.ts';
import { type BookQuery, getNodes, type ServiceContext, subscribeTopic, type TopicQuery } from './mirror-services.ts';
import { createReflection } from './reflection.ts';

export type GrpcDoorOptions = {
  context: ServiceContext;
  /** Whether a new request would not wait too long; null = it would not. */
  hasRoom: (() => boolean) | null;
  log: Logger;
  registry: Registry;
  clientOf: ClientOf;
  outcomes: ClientOutcomes;
  maxConnections: number;
  /** PEM; null = without TLS. */
  tls: { certificate: Buffer; key: Buffer } | null;
  limits?: Partial<GrpcLimits>;
};

type GrpcLimits = {
  /** How long a connection may say nothing at first, and a request be unfinished, ms. */
  requestMs: number;
  /** How long a connection may be without a stream, ms. */
  idleMs: number;
  /** Of all clients at once: each waits in memory. Default: as docs/reference/shares.md says. */
  maxStreams?: number;
};

const usualLimits: GrpcLimits = { requestMs: 20_000, idleMs: 600_000 };

export type GrpcDoor = {
  /** To listen on a port. */
  server: NetServer;
  close(): Promise<void>;
};

const maxRequestBytes = 1024;
const maxStreamsOfConnection = 5;

export function createGrpcDoor(options: GrpcDoorOptions): GrpcDoor {
  const { context, hasRoom, log, registry, clientOf, outcomes, maxConnections, tls } = options;
  const { requestMs, idleMs, maxStreams } = { ...usualLimits, ...options.limits };
  const { service, files } = loadDefinitions();
  const definitionOf = (name: string) => toService(service(name));
  const closing = new AbortController();
  const places = createCallPlaces({ door: 'grpcStreams', registry, clientOf, max: maxStreams });
  const answer = createMessageAnswerer({ hasRoom, log, registry, places, outcomes, closing: closing.signal });
  const grpc = new Server({
    'grpc.max_receive_message_length': maxRequestBytes,
    'grpc.max_concurrent_streams': maxStreamsOfConnection,
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
    'grpc.max_connection_idle_ms': idleMs,
    interceptors: [endUnfinished(requestMs)],
  });

  const streaming =
    <Query>(
      name: string,
      run: (query: Query, ...rest: Parameters<Run>) => ReturnType<Run>,
    ): handleServerStreamingCall<Query, object> =>
    (call) =>
      void answer(name, call, (...rest) => run(call.request, ...rest));
  grpc.addService(definitionOf('com.hedera.mirror.api.proto.ConsensusService'), {
    subscribeTopic: streaming<TopicQuery>('subscribeTopic', (...asked) => subscribeTopic(context, ...asked)),
  });
  grpc.addService(definitionOf('com.hedera.mirror.api.proto.NetworkService'), {
    getNodes: streaming<BookQuery>('getNodes', (query, signal) => getNodes(context, query, signal)),
  });
  const health = createHealth({ ledger: context.ledger, signal: closing.signal, log });
  grpc.addService(definitionOf('grpc.health.v1.Health'), {
    Check(call: ServerUnaryCall<{ service: string }, object>, done: sendUnaryData<object>) {
      health.read(call.request.service).then(
        (status) => done(null, { status }),
        (error) => done(toStatus(error)),
      );
    },
    Watch: streaming<{ service: string }>('Watch', ({ service: name }, signal) => health.watch(name, signal)),
  });
  for (const { definition, answerReflection } of createReflection(
    files,
    service('grpc.reflection.v1.ServerReflection'),
  )) {
    grpc.addService(definition, {
      ServerReflectionInfo(call: ServerDuplexStream<object, object>) {
        answerConversation(call, answerReflection, places);
      },
    });
  }

  const gauge = { name: 'grpc_connections_open', help: 'Open connections of gRPC clients.' };
  const listener = createGrpcListener({
    grpc,
    registry,
    gauge,
    door: 'grpcConnections',
    maxConnections,
    tls,
    requestMs,
  });
  return {
    server: listener.server,
    async close() {
      closing.abort();
      await listener.close();
    },
  };
}
