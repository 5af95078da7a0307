// What the service answers beside REST: JSON-RPC and its web sockets, gRPC, the API of block nodes, and further ports.
import type { AddressInfo, Server } from 'node:net';
import type { Registry } from 'prom-client';
import { listenWith } from '../../../packages/kit/process/listen.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { aside } from '../../../packages/kit/shares/current-client.ts';
import { createTurns } from '../../../packages/kit/turns.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import type { HttpSettings } from '../../api/frame/http-settings.ts';
import type { Calls } from '../../calls/create-calls.ts';
import { createBlockNodeDoor } from '../../doors/block-node/block-node-door.ts';
import { createLedgerFeed } from '../../doors/feed/ledger-feed.ts';
import { createTopicHub } from '../../doors/feed/topic-hub.ts';
import { createGrpcDoor, type GrpcDoor } from '../../doors/grpc/grpc-door.ts';
import { addLiveFeeds } from '../../doors/live/live-feeds.ts';
import { createKeptResults } from '../../doors/rpc/kept-results.ts';
import { createMachine } from '../../doors/rpc/machine/machine.ts';
import type { RpcContext } from '../../doors/rpc/reading/context.ts';
import { createFilters } from '../../doors/rpc/reading/filters.ts';
import { createRelayClient } from '../../doors/rpc/relay-client.ts';
import { addRpcRoute, askAtRoot } from '../../doors/rpc/rpc-route.ts';
import { createSocketDoor } from '../../doors/socket/socket-door.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { MirrorServer } from '../../server/server.ts';
import { readProgramVersion } from '../program-version.ts';
import { type DoorPort, doorPorts } from '../settings/door-ports.ts';
import type { Settings } from '../settings/load-settings.ts';
import { readGrpcTls } from '../settings/read-grpc-tls.ts';
import { toListenerSettings } from '../settings/to-listener-settings.ts';
import { readSourceBlocks } from './read-source-blocks.ts';

type Options = {
  app: MirrorServer;
  ledger: Ledger;
  calls: Calls;
  httpSettings: HttpSettings;
  settings: Settings;
  /** Where the stream comes from, as in the setting. */
  source: string | undefined;
  log: Logger;
  registry: Registry;
  /** Of the database that answers. */
  blocks: BlockWatch;
  hasRoom(): boolean;
  /** Whether this thread has no time for long answers. */
  isBusy(): boolean;
  /** How many processes share the limits. */
  workers: number;
  signal: AbortSignal;
};

export type Doors = {
  /** Opens the ports. */
  open(): Promise<void>;
  /** A line for each; `url`: of the service. */
  places(url: string): readonly string[];
  close(): Promise<void>;
};

export function createDoors({
  app,
  ledger,
  calls,
  httpSettings,
  settings,
  source,
  log,
  registry,
  blocks,
  hasRoom,
  isBusy,
  workers,
  signal,
}: Options): Doors {
  const relayUrl = settings.find('relay-url');
  const relay = relayUrl === undefined ? null : createRelayClient(relayUrl, { registry });
  const filters = createFilters(registry);
  const { network, callLimits, maxCallGas, opcodeTraces } = httpSettings;
  const machine = createMachine({ calls, limits: callLimits, maxGas: maxCallGas, traces: opcodeTraces });
  const context: RpcContext = {
    ...{ ledger, version: readProgramVersion(), filters, machine },
    get chainId() {
      return network.chainId;
    },
    turns: createTurns({ isBusy }),
    relay: relay && ((params) => aside(() => relay('eth_sendRawTransaction', params))),
  };
  const answerer = addRpcRoute(app, {
    ...{ context, settings: httpSettings, log, registry, admission: app.admission, clientOf: app.clientOf },
    kept: app.cache && createKeptResults(app.cache),
    ...{ clientOf: app.clientOf, outcomes: app.outcomes },
  });
  const feed = createLedgerFeed({
    readEnd: ledger.newestEnd,
    watch: blocks,
    onError: (error) => log.warn({ err: error }, 'What is new in the ledger could not be read; it is read again'),
  });
  const sockets = createSocketDoor({ context, answerer, clientOf: app.clientOf, feed, log, registry });
  const hub = createTopicHub(ledger, feed);
  const live = addLiveFeeds(app, {
    ...{ ledger, feed, hub, registry, clientOf: app.clientOf },
    ...{ settings: httpSettings, dialect: findDialect(settings.get('dialect')) },
    onFailure: (error) => log.error({ err: error }, 'A stream of events failed'),
  });
  const tls = readGrpcTls(settings);
  const opened: DoorPort[] = [];
  const listeners: Record<DoorPort['kind'], () => Server> = {
    rest: () => app.createListener(() => {}),
    rpc: () => app.createListener(askAtRoot, sockets.onUpgrade),
    grpc: () => {
      grpc ??= createGrpc();
      return grpc.server;
    },
    blockNode: () => {
      blockNode ??= createBlockNode();
      return blockNode.server;
    },
  };
  let grpc: GrpcDoor | null = null;
  let blockNode: GrpcDoor | null = null;
  const { maxConnections } = toListenerSettings(settings, workers).limits;
  const counted = { clientOf: app.clientOf, outcomes: app.outcomes };

  function createGrpc(): GrpcDoor {
    const { system, clock } = httpSettings;
    const allowsUnknownTopics = settings.get('grpc-unknown-topics');
    const context = { ledger, hub, system, clock, allowsUnknownTopics };
    return createGrpcDoor({ context, hasRoom, log, registry, ...counted, maxConnections, tls });
  }

  function createBlockNode(): GrpcDoor {
    return createBlockNodeDoor({
      ...{ files: ledger.blockFiles, source: readSourceBlocks(source, settings, log), feed },
      ...{ version: readProgramVersion(), hasRoom, log, registry, ...counted, maxConnections, tls },
    });
  }

  return {
    async open() {
      for (const wanted of doorPorts(settings)) {
        const server = listeners[wanted.kind]();
        const host = settings.get('host');
        await listenWith(server, { port: wanted.port, host, portSetting: wanted.portSetting, log, signal });
        opened.push({ ...wanted, port: (server.address() as AddressInfo).port });
      }
    },
    places: (url) => describe(opened, url),
    /** The listeners end with the service. */
    async close() {
      sockets.close();
      live.close();
      await Promise.all([grpc?.close(), blockNode?.close()]);
      await feed.close();
    },
  };
}

const names = { rest: 'REST', rpc: 'JSON-RPC and web sockets', grpc: 'gRPC', blockNode: 'Block node' };

/** The lines for a service whose ports others open. `url`: of the service. */
export function describeDoors(settings: Settings, url: string): readonly string[] {
  return describe(doorPorts(settings), url);
}

/** For clients that speak gRPC where it is not answered. A port that the system chooses is known to the log only. */
export function describeGrpcPlace(settings: Settings): string {
  const door = doorPorts(settings).find(({ kind }) => kind === 'grpc');
  if (!door) return 'gRPC is closed; --grpc-port 5600 opens it.';
  return `gRPC is answered at ${door.port === 0 ? 'the port of --grpc-port' : `port ${door.port}`}.`;
}

function describe(ports: readonly DoorPort[], url: string): string[] {
  const lines = ports.map(({ kind, port }) => {
    const place = new URL(url);
    place.port = String(port);
    return `${names[kind]}: ${kind === 'grpc' || kind === 'blockNode' ? place.host : `${place.origin}/`}`;
  });
  return [`JSON-RPC: ${url}/rpc`, ...lines];
}
