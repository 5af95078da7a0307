// The query side of one run: a pool of readers, the ledger over it, and HTTP in front.
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { listen, listenWith } from '../../../packages/kit/process/listen.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { fillSchemaGaps, type SchemaGap } from '../../../packages/schema/migration/schema-gaps.ts';
import { addStatusForwarding } from '../../../packages/status/http/forward-status.ts';
import {
  type BlockWatch,
  noBlockWatch,
  type RunningBlockWatch,
  watchBlocks,
} from '../../../packages/store/notify/block-watch.ts';
import { inItsForm } from '../../../packages/store/read/in-its-form.ts';
import type { ThreadState } from '../../../packages/web-server/admission.ts';
import { writeMetrics } from '../../../packages/web-server/write-metrics.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import { createHealthApp } from '../../api/frame/health-app.ts';
import type { HttpSettings } from '../../api/frame/http-settings.ts';
import { type Calls, type CallsOptions, createCalls } from '../../calls/create-calls.ts';
import { describeCall } from '../../calls/throttle/call-filters.ts';
import { createLedger } from '../../ledger/create-ledger.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { addEtherscan, addVerification } from '../../server/add-verification.ts';
import { createServer, type MirrorServer, type ServerOptions } from '../../server/server.ts';
import { findFreeBytes } from '../database/free-bytes.ts';
import { type LearntNetwork, learnNetwork } from '../database/learn-network.ts';
import { type Network, readNetworkSettings } from '../database/settle-network.ts';
import type { Settings } from '../settings/load-settings.ts';
import { readLabels } from '../settings/read-labels.ts';
import { toCallLimits, toHttpSettings, toListenerSettings, toLoadLimits } from '../settings/to-listener-settings.ts';
import { listSessionOrigins, toWebAccess } from '../settings/to-web-access.ts';
import { type AttachedStatus, type AttachStatusOptions, attachStatus } from '../status/attach-status.ts';
import { readRemoteStatus } from '../status/remote-status.ts';
import type { ImportObserver } from '../status/signals/read-importer.ts';
import type { WorkerLink } from '../workers/worker-link.ts';
import { askContracts } from './ask-contracts.ts';
import { createDoors, describeGrpcPlace } from './create-doors.ts';
import { createVerification, type Verification } from './create-verification.ts';
import { indexContractTokens } from './index-contract-tokens.ts';
import { measureBootstrap } from './measure-bootstrap.ts';
import { measureCalls } from './measure-calls.ts';
import { measureStorage } from './measure-storage.ts';
import { measureDatabase, openMeasuredReaders } from './open-measured-readers.ts';
import { readSourceAgain } from './read-source-again.ts';
import { watchLoad } from './watch-load.ts';

export type RunningServer = {
  /** Its address, e.g. `http://127.0.0.1:5551`. */
  url: string;
  /** Where other protocols than REST are answered, a line each. */
  places: readonly string[];
  /** The database that it answers from. */
  db: Database;
  /** Finishes running requests, then closes port and connections. */
  close(): Promise<void>;
};

export type StartServerOptions = {
  connectionString: string;
  /** What is missing in a database that this program does not own. */
  schemaGaps?: readonly SchemaGap[];
  settings: Settings;
  log: Logger;
  network: Network;
  /** Folder of the records of a simulated network's block explorer. */
  simulatedExplorer?: string | undefined;
  /** Where the stream comes from, as in the setting, which is the default. */
  source?: string;
  /** The import in this process, for the status; null if another process imports. */
  observer: ImportObserver | null;
  /** Set if this process is one of several that share the port. */
  worker?: WorkerLink;
  /** Other metrics of this process; /metrics shows them too. */
  registry?: Registry;
  /** Ends the wait for a port that is taken. */
  signal: AbortSignal;
};

export async function startServer(given: StartServerOptions): Promise<RunningServer> {
  const options = { ...given, registry: given.registry ?? new Registry() };
  const { registry, settings, log, network: known, worker, schemaGaps = [], signal } = options;
  collectDefaultMetrics({ register: registry });
  // Limits of the settings are shared among the workers.
  const workers = worker?.start.workers ?? 1;
  const maxConnections = shareOf(settings.find('database-connections') ?? usualConnections(), workers);
  const readers = await openMeasuredReaders({ ...options, leader: worker?.leader, maxConnections });
  const blocks = watchAnswerChanges(options, readers.blocks);
  measureDatabase(readers.db, registry, blocks?.state ?? noBlockWatch);
  measureBootstrap(readers.db, registry);
  const db = await inItsForm(fillSchemaGaps(readers.db, schemaGaps));
  const network = learnNetwork({ db, known, said: readNetworkSettings(settings), log });
  const { system } = network;
  const watch = network.watched(blocks?.state ?? noBlockWatch);
  const metrics = worker ? worker.allMetrics : () => writeMetrics(registry);
  const calls = createMeasuredCalls(options, { db, system, network, blocks: watch, workers });
  const load = watchLoad();
  // Results of checks are stored in the primary.
  const primary = await inItsForm(fillSchemaGaps(readers.primary, schemaGaps));
  const verification = createVerification({
    db: primary,
    settings,
    log,
    network,
    system,
    ask: askContracts(calls),
    registry,
    searchesIn: settings.get('read-only') ? null : options.connectionString,
    blocks: watch,
    simulatedExplorer: options.simulatedExplorer,
    isBusy: load.isBusyForChecks,
  });
  const isIndexed = !settings.get('read-only') && !schemaGaps.some(({ tables }) => tables.includes('contract_token'));
  const tokenIndex = !isIndexed
    ? null
    : indexContractTokens({
        ...{ db: primary, ask: askContracts(calls), connectionString: options.connectionString, log },
        blocks: blocks?.state ?? noBlockWatch,
        isBusy: load.isBusyForChecks,
      });
  const { app, ledger, httpSettings } = createApp(options, {
    ...{ db, calls, verification, blocks: blocks && watch, network, workers, metrics, thread: load.thread },
  });
  measureStorage(ledger.storage, registry);
  const isBusy = load.thread.isHalfUsed;
  const source = options.source ?? settings.find('source');
  const base = { isBusy, app, ledger, calls, httpSettings, settings, source };
  const doors = createDoors({ ...base, log, registry, signal, blocks: watch, hasRoom: db.hasRoom, workers });
  addVerification(app, { ...verification.routes, site: app.site });
  addEtherscan(app, { ...verification.routes, showPage: app.showApiPage });
  const connections = () => {
    const { open, idle } = db.connections();
    return { max: maxConnections, busy: open - idle };
  };
  const status = await openStatus(app, options, {
    ...{ connections, outcomes: app.outcomes.take, selfTest: verification.selfTest },
  });
  let metricsApp: FastifyInstance | null = null;
  const host = settings.get('host');
  try {
    await listen(app, { port: worker?.port ?? settings.get('port'), host, log, signal });
    const hieroPort = settings.find('port-hiero');
    if (hieroPort !== undefined) {
      await listenWith(app.createHieroListener(), { port: hieroPort, host, portSetting: 'port-hiero', log, signal });
    }
    await doors.open();
    metricsApp = await listenToOperators(app, options, metrics);
  } catch (error) {
    await close();
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const place = { host, port: address.port, url: formatUrl(address) };
  status.begin(place);
  worker?.share(registry, connections, app.outcomes);
  worker?.answering(place);
  return { url: place.url, places: doors.places(place.url), db, close };

  async function close(): Promise<void> {
    network.close();
    await status.leave();
    await doors.close();
    await app.drainConnections();
    await status.close();
    await verification.close();
    await tokenIndex?.close();
    await metricsApp?.close();
    await app.close();
    await calls.close();
    await blocks?.close();
    await db.close();
    load.close();
  }
}

type MeasuredOptions = StartServerOptions & { registry: Registry };

function createMeasuredCalls(
  { registry, settings, log }: MeasuredOptions,
  { workers, ...given }: Pick<CallsOptions, 'db' | 'system' | 'network' | 'blocks'> & { workers: number },
): Calls {
  const measures = measureCalls(registry);
  const calls = createCalls({
    ...given,
    limits: toCallLimits(settings, workers),
    ...measures,
    onLost(error) {
      measures.onLost();
      log.warn({ err: error }, 'a thread that ran a contract was lost, and is replaced');
    },
    onLogged: (call) => log.info({ call: describeCall(call) }, 'a call that a filter names'),
  });
  measures.watch(calls);
  return calls;
}

type AppParts = {
  db: Database;
  calls: Calls;
  verification: Verification;
  /** null = answers are not kept. */
  blocks: BlockWatch | null;
  network: LearntNetwork;
  workers: number;
  metrics(): Promise<string>;
  thread: ThreadState;
};

function createApp(
  { settings, log, registry, source = settings.find('source') }: MeasuredOptions,
  { db, calls, verification, blocks, network, workers, metrics, thread }: AppParts,
): { app: MirrorServer; ledger: Ledger; httpSettings: HttpSettings } {
  const { system, look } = network;
  const httpSettings = toHttpSettings(settings, { network, system });
  // An answer that is made without a reading does not depend on the time of day.
  let clockReadings = 0;
  const clock = (): bigint => {
    clockReadings += 1;
    return httpSettings.clock();
  };
  const ledger = createLedger({
    db,
    clock,
    system,
    readAgain: readSourceAgain(source, settings, log),
    freeBytes: () => findFreeBytes(settings),
  });
  const app = createServer({
    ledger,
    calls,
    abis: verification.abis,
    verifiedShare: verification.share,
    sources: verification.sources,
    dialect: findDialect(settings.get('dialect')),
    settings: { ...httpSettings, clock },
    log,
    registry,
    network,
    labels: readLabels(settings),
    awaitNetwork: look,
    cache: blocks && {
      maxBytes: shareOf(settings.get('answer-cache') * 2 ** 20, workers),
      blocks,
      clockReadings: () => clockReadings,
    },
    metrics: settings.find('metrics-port') === undefined ? metrics : null,
    drainMs: settings.get('drain-time'),
    ...toListenerSettings(settings, workers),
    http2Elsewhere: describeGrpcPlace(settings),
    sessionOrigins: listSessionOrigins(settings),
    access: toWebAccess(settings),
    hasRoom: db.hasRoom,
    thread,
    ...pickClientLimits(settings),
  });
  return { app, ledger, httpSettings };
}

function pickClientLimits(settings: Settings): Pick<ServerOptions, 'rateLimits' | 'apiKeys'> {
  const { rateLimits, apiKeys } = toLoadLimits(settings);
  return { rateLimits, apiKeys };
}

/** With workers, the process that started them reports for all. */
async function openStatus(
  app: FastifyInstance,
  { settings, log, network, registry, connectionString, observer, worker }: MeasuredOptions,
  serving: Pick<AttachStatusOptions, 'connections' | 'outcomes' | 'selfTest'>,
): Promise<Omit<AttachedStatus, 'find'>> {
  if (!worker) {
    const reported = { settings, log, networkName: network.name, registry, connectionString, observer };
    return attachStatus({ app, ...reported, ...serving });
  }
  const remote = readRemoteStatus(settings);
  if (settings.get('status-service') === 'on') addStatusForwarding(app, remote ? () => remote : worker.statusContact);
  return { begin() {}, async leave() {}, async close() {} };
}

/** null = no port is set for metrics. */
async function listenToOperators(
  app: FastifyInstance,
  { settings, log, registry, signal }: MeasuredOptions,
  metrics: () => Promise<string>,
): Promise<FastifyInstance | null> {
  const port = settings.find('metrics-port');
  if (port === undefined) return null;
  // Asked at the port of the service, so that it is right while the service is ending, too.
  const readiness = async () => {
    const { statusCode, body } = await app.inject('/health/readiness');
    return { ok: statusCode === 200, body };
  };
  const metricsApp = createHealthApp({
    log,
    registry,
    metrics,
    readiness,
    clusterId: settings.find('cluster-id') ?? null,
  });
  await listen(metricsApp, { port, host: settings.get('host'), portSetting: 'metrics-port', log, signal });
  log.info(`Metrics on ${formatUrl(metricsApp.server.address() as AddressInfo)}/metrics`);
  return metricsApp;
}

/**
 * null = answers are not cached. Without notifications of blocks, an answer is cached for the time in its
 * Cache-Control.
 */
function watchAnswerChanges(
  { connectionString, settings, log }: StartServerOptions,
  ofReplicas: BlockWatch | null,
): RunningBlockWatch | null {
  if (settings.get('answer-cache') === 0) return null;
  if (ofReplicas) return { state: ofReplicas, close: async () => {} };
  if (settings.get('read-only')) return { state: noBlockWatch, close: async () => {} };
  return watchBlocks({
    connectionString,
    onLost: (error) =>
      log.warn(
        `PostgreSQL does not notify of new blocks (${error.message}). Until it does, answers are kept for as long as their Cache-Control says.`,
      ),
  });
}

/** Twice the cores do most of the work; the others are for times when those are held by long queries. */
function usualConnections(): number {
  return Math.min(32, Math.max(10, 2 * availableParallelism()));
}

/** At least two: one connection may be lent while another query runs. */
function shareOf(all: number, workers: number): number {
  return Math.max(2, Math.ceil(all / workers));
}

function formatUrl({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`;
}
