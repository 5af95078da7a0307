// The port of a block node: another mirror follows this one through it. The blocks are those of this mirror's stream,
// as they came.
import { readFileSync } from 'node:fs';
import { Server, type ServiceDefinition } from '@grpc/grpc-js';
import type Long from 'long';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import protobuf from 'protobufjs';
import { isSettledWithin } from '../../../packages/kit/is-settled-within.ts';
import type { ClientOutcomes } from '../../../packages/kit/shares/client-outcomes.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import type { BlockFiles } from '../../ledger/blocks/create-block-files.ts';
import type { LedgerFeed } from '../feed/ledger-feed.ts';
import { createCallPlaces } from '../grpc/call-places.ts';
import { toService } from '../grpc/definitions.ts';
import { endUnfinished } from '../grpc/end-unfinished.ts';
import type { GrpcDoor } from '../grpc/grpc-door.ts';
import { createGrpcListener } from '../grpc/grpc-listener.ts';
import { type BlockAsked, createBlockAnswerer } from './answer-block.ts';
import { createCallAnswerer } from './answer-calls.ts';
import { answerStatus, answerStatusDetail } from './answer-status.ts';
import type { BlockSource } from './block-source.ts';
import { createGrowth } from './growth.ts';
import { createHeldBlocks } from './held-blocks.ts';
import { createOpenBlocks } from './open-blocks.ts';
import { type SendLimits, usualSendLimits } from './send-messages.ts';
import { statusMessage, subscribeBlocks } from './subscribe-blocks.ts';

export type BlockNodeDoorOptions = {
  files: BlockFiles;
  /** null = only what was kept is sent. */
  source: BlockSource | null;
  feed: LedgerFeed;
  /** Of this program, `1.2.3`. */
  version: string;
  /** Whether a new request would not wait too long; null = it would not. */
  hasRoom: (() => boolean) | null;
  log: Logger;
  registry: Registry;
  clientOf: ClientOf;
  outcomes: ClientOutcomes;
  maxConnections: number;
  /** PEM; null = without TLS. */
  tls: { certificate: Buffer; key: Buffer } | null;
  limits?: Partial<BlockNodeDoorLimits>;
};

export type BlockNodeDoorLimits = SendLimits & {
  /** How long a connection may say nothing at first, and a request be unfinished, ms. */
  requestMs: number;
  /** How long a connection may be without a stream, ms. */
  idleMs: number;
  /** Subscriptions and single blocks at once; each has a piece in memory. Default: as docs/reference/shares.md says. */
  maxStreams?: number;
};

const usualLimits: BlockNodeDoorLimits = {
  ...usualSendLimits,
  requestMs: 20_000,
  idleMs: 600_000,
};
const maxRequestBytes = 1024;
const maxStreamsOfConnection = 10;
const closeWithinMs = 2000;

export function createBlockNodeDoor(options: BlockNodeDoorOptions): GrpcDoor {
  const { files, source, feed, version, hasRoom, log, registry, clientOf, outcomes, maxConnections, tls } = options;
  const limits = { ...usualLimits, ...options.limits };
  const closing = new AbortController();
  const { signal } = closing;
  const held = createHeldBlocks({
    files,
    source,
    signal,
    onError: (error) => log.warn({ err: error }, 'Which blocks the source has could not be read; it is read again'),
  });
  // The rows of millions of blocks take half a minute: the first follower should not wait for them.
  held
    .refresh()
    .catch((error) => log.warn({ err: error }, 'Which blocks are stored could not be read; it is read again'));
  const blocks = createOpenBlocks({ files, source, signal });
  const growth = createGrowth(feed, held.refresh);
  const places = createCallPlaces({ door: 'blockStreams', registry, clientOf, max: limits.maxStreams });
  const { unary, streaming, settled } = createCallAnswerer({
    hasRoom,
    log,
    registry,
    places,
    outcomes,
    limits,
    closing: signal,
  });
  const grpc = new Server({
    'grpc.max_receive_message_length': maxRequestBytes,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': maxStreamsOfConnection,
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
    'grpc.max_connection_idle_ms': limits.idleMs,
    interceptors: [endUnfinished(limits.requestMs)],
  });
  const definitions = loadDefinitions();

  grpc.addService(definitions('BlockNodeService'), {
    serverStatus: unary('serverStatus', () => answerStatus(held)),
    serverStatusDetail: unary('serverStatusDetail', () => answerStatusDetail(held, version)),
  });
  const onFailure = (error: unknown, block: bigint): void =>
    log.warn({ err: error, block }, 'A block could not be sent to a follower');
  grpc.addService(asMessages(definitions('BlockStreamSubscribeService')), {
    subscribeBlockStream: streaming<Record<'start_block_number' | 'end_block_number', Long>>(
      'subscribeBlockStream',
      async ({ start_block_number: start, end_block_number: end }, to) => {
        const asked = { start: BigInt(`${start}`), end: BigInt(`${end}`) };
        const code = await subscribeBlocks({ held, blocks, growth, onFailure }, asked, to);
        return { code, message: statusMessage(code), isFailure: code === 'ERROR' };
      },
    ),
  });
  const answerBlock = createBlockAnswerer({ held, blocks, log, registry });
  grpc.addService(asMessages(definitions('BlockAccessService')), {
    getBlock: streaming<BlockAsked>('getBlock', (asked, to) => answerBlock(asked, to.signal)),
  });

  const gauge = { name: 'block_node_connections_open', help: 'Open connections of those who follow this mirror.' };
  const { requestMs } = limits;
  const listener = createGrpcListener({
    grpc,
    registry,
    gauge,
    door: 'blockConnections',
    maxConnections,
    tls,
    requestMs,
  });
  return {
    server: listener.server,
    async close() {
      closing.abort();
      // Those who follow get their status.
      await isSettledWithin(settled(), closeWithinMs);
      await listener.close();
    },
  };
}

function loadDefinitions(): (service: string) => ServiceDefinition {
  const text = readFileSync(new URL('./definitions/block-node.proto', import.meta.url), 'utf8');
  const { root } = protobuf.parse(text, { keepCase: true });
  root.resolveAll();
  return (service) => toService(root.lookupService(`org.hiero.block.api.${service}`));
}

/** Messages are written where they are made. One on the wire is a stream of one. */
function asMessages(service: ServiceDefinition): ServiceDefinition {
  const written = Object.entries(service).map(([name, method]) => [
    name,
    { ...method, responseStream: true, responseSerialize: (message: Buffer) => message },
  ]);
  return Object.fromEntries(written);
}
