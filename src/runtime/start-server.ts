// The query side of one run: a pool of readers, the ledger over it, and HTTP in front.
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { findDialect } from '../http/dialect/find-dialect.ts';
import { createHealthApp } from '../http/frame/health-app.ts';
import { createServer } from '../http/server.ts';
import { addStatusForwarding } from '../http/status/forward-status.ts';
import { addVerificationRoutes } from '../http/verification/verification-routes.ts';
import { createDurationHistogram, type DurationSeries } from '../kit/duration-histogram.ts';
import { watchThread } from '../kit/thread-load.ts';
import { createLedger } from '../ledger/create-ledger.ts';
import type { SchemaGap } from '../store/migration/schema-gaps.ts';
import { fillSchemaGaps } from '../store/migration/schema-gaps.ts';
import { type BlockWatch, noBlockWatch, type RunningBlockWatch, watchBlocks } from '../store/notify/block-watch.ts';
import { countPostponedIndexes } from '../store/read/count-postponed-indexes.ts';
import { asDistributedWhereItIs } from '../store/read/distributed/as-distributed.ts';
import { selectNewestBlock } from '../store/read/select-newest-block.ts';
import type { Database } from '../store/wire/database.ts';
import { queueIsFull } from '../store/wire/waiting-line.ts';
import { countReadings } from './count-readings.ts';
import { createVerification } from './create-verification.ts';
import type { ImportObserver } from './import-heartbeat.ts';
import { listen, listenWith } from './listen.ts';
import type { Logger } from './log.ts';
import { createNetworkRealm } from './network-realm.ts';
import { openReaders } from './open-readers.ts';
import type { Settings } from './settings/load-settings.ts';
import { readRealm } from './settings/read-realm.ts';
import { toHttpSettings } from './settings/to-http-settings.ts';
import { toListenerSettings, toLoadLimits } from './settings/to-listener-settings.ts';
import type { Network } from './settle-network.ts';
import { attachStatus } from './status/attach-status.ts';
import { readRemoteStatus } from './status/remote-status.ts';
import type { WorkerLink } from './workers/worker-link.ts';

export type RunningServer = {
  /** Where it answers, e.g. `http://127.0.0.1:5551`. */
  url: string;
  /** That it answers from. */
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
  /** Folder in which a simulated network keeps the records of its block explorer. */
  simulatedExplorer?: string;
  /** The import that runs in this process, for the status; null where another process imports. */
  observer: ImportObserver | null;
  /** Where this process is one of several that share the port. */
  worker?: WorkerLink;
  /** Of what else this process measures; /metrics shows it. */
  registry?: Registry;
  /** Ends the wait for a port that is taken. */
  signal: AbortSignal;
};

export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { connectionString, schemaGaps = [], settings, log, network, observer, worker, signal } = options;
  /** What the settings bound is shared among the workers. */
  const workers = worker?.start.workers ?? 1;
  const networkName = network.name;
  const maxConnections = shareOf(settings.find('database-connections') ?? usualConnections(), workers);
  const { registry = new Registry() } = options;
  collectDefaultMetrics({ register: registry });
  const queryDurations = createDurationHistogram({
    name: 'ledger_mirror_query_duration_seconds',
    help: 'Duration of SQL queries by their name',
    buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registry,
  });
  const durationOf = new Map<string, DurationSeries>();
  const unreadable = new Counter({
    name: 'ledger_mirror_unreadable_values_total',
    help: 'Stored values that nothing could be made of when they were answered, by table and column',
    labelNames: ['column'],
    registers: [registry],
  });
  const { maxWaitMs, rateLimits } = toLoadLimits(settings);
  const readers = openReaders({
    connectionString,
    leader: worker?.leader,
    settings,
    log,
    registry,
    maxConnections,
    statementTimeoutMs: settings.get('statement-timeout') * 1000,
    maxExpectedWaitMs: maxWaitMs ?? undefined,
    onQuery(name, durationMs, error) {
      const series = durationOf.get(name) ?? queryDurations.addSeries({ query: name });
      durationOf.set(name, series);
      series.observe(durationMs / 1000);
      if (error && (error as { code?: string }).code !== queueIsFull) {
        log.warn({ query: name, err: error }, 'a query failed');
      }
    },
    onUnreadable({ column, row, error }) {
      unreadable.inc({ column });
      log.warn({ column, row, err: error }, 'a stored value cannot be read; answers go without it');
    },
    onConnectionLost: (error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost'),
  });
  const postponed = await countPostponedIndexes(readers.primary);
  if (postponed > 0) {
    log.warn(
      `${postponed} indexes are left out until the import has caught up (--bulk): answers are right, and many are slow or refused for the time they take.`,
    );
  }
  const blocks = watchAnswerChanges(options, readers.blocks);
  measureConnections(readers.db, registry);
  measureAge(readers.db, registry, blocks?.state ?? noBlockWatch);
  const db = await asDistributedWhereItIs(fillSchemaGaps(readers.db, schemaGaps));
  const realm = createNetworkRealm({ db, known: network.system, said: readRealm(settings), log });
  const { system } = realm;
  const usualSettings = toHttpSettings(settings, network.chainId, system);
  const { clock, readings } = countReadings(usualSettings.clock);
  const httpSettings = { ...usualSettings, clock };
  const metrics = worker ? worker.allMetrics : () => registry.metrics();
  const metricsPort = settings.find('metrics-port');
  const app = createServer({
    ledger: createLedger({ db, clock, system }),
    dialect: findDialect(settings.get('dialect')),
    settings: httpSettings,
    log,
    registry,
    networkName,
    awaitNetwork: realm.look,
    cache: blocks && {
      maxBytes: shareOf(settings.get('answer-cache') * 2 ** 20, workers),
      blocks: blocks.state,
      clockReadings: readings,
    },
    metrics: metricsPort === undefined ? metrics : null,
    drainMs: settings.get('drain-time'),
    ...toListenerSettings(settings, workers),
    hasRoom: db.hasRoom,
    rateLimits,
  });
  const { chainId } = httpSettings;
  const load = watchThread();
  const verification = createVerification({
    // Its results are kept in the database.
    db: await asDistributedWhereItIs(fillSchemaGaps(readers.primary, schemaGaps)),
    settings,
    log,
    networkName,
    chainId,
    system,
    registry,
    simulatedExplorer: options.simulatedExplorer,
    isBusy: () => load.share() > checksGiveWayAt,
  });
  addVerificationRoutes(app, verification.routes);
  const host = settings.get('host');
  const connections = () => {
    const { open, idle } = db.connections();
    return { most: maxConnections, busy: open - idle };
  };
  const { selfTest } = verification;
  const status = worker
    ? forwardStatus(app, { settings, worker })
    : await attachStatus({
        ...{ app, settings, log, networkName, registry, connectionString, connections, observer, selfTest },
      });
  try {
    await listen(app, { port: worker?.port ?? settings.get('port'), host, log, signal });
    const hieroPort = settings.find('port-hiero');
    if (hieroPort !== undefined) {
      await listenWith(app.createHieroListener(), { port: hieroPort, host, portSetting: 'port-hiero', log, signal });
    }
  } catch (error) {
    await status.close();
    await app.close();
    await blocks?.close();
    await db.close();
    throw error;
  }
  const metricsApp = metricsPort === undefined ? null : createHealthApp({ log, registry, metrics, readiness });
  if (metricsApp) {
    // Until it is there, the start has not succeeded.
    try {
      await listen(metricsApp, { port: metricsPort!, host, portSetting: 'metrics-port', log, signal });
    } catch (error) {
      await closeAll();
      throw error;
    }
    log.info(`Metrics on ${formatUrl(metricsApp.server.address() as AddressInfo)}/metrics`);
  }
  const address = app.server.address() as AddressInfo;
  const url = formatUrl(address);
  status.begin({ host, port: address.port, url });
  worker?.share(registry, connections);
  worker?.answering({ host, port: address.port, url });
  return {
    url,
    db,
    close: closeAll,
  };

  async function closeAll(): Promise<void> {
    await status.leave();
    await app.drainConnections();
    await status.close();
    await verification.close();
    await metricsApp?.close();
    await app.close();
    await blocks?.close();
    await db.close();
    load.close();
  }

  /** As on the port of the service, asked there: it says so while it is ending, too. */
  async function readiness(): Promise<{ ok: boolean; body: string }> {
    const { statusCode, body } = await app.inject('/health/readiness');
    return { ok: statusCode === 200, body };
  }
}

/**
 * null = answers are not kept. Where another program fills the database, no notification of blocks comes, and an answer is kept for
 * as long as it says.
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
        `PostgreSQL does not tell of new blocks (${error.message}). Until it does, answers are kept for as long as their Cache-Control says.`,
      ),
  });
}

/** Of a processor, used by the thread that answers; one status page and a request now and then keep it below 0.1. */
const checksGiveWayAt = 0.25;

function measureConnections(db: Database, registry: Registry): void {
  new Gauge({
    name: 'ledger_mirror_database_connections',
    help: 'Connections to PostgreSQL that answer queries, by what they do: busy, or idle.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { open, idle } = db.connections();
      this.set({ state: 'busy' }, open - idle);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'ledger_mirror_database_waiting_queries',
    help: 'Queries that wait for a connection.',
    registers: [registry],
    collect() {
      this.set(db.connections().waiting);
    },
  });
}

/** Asked of the database where nothing is heard of blocks: once each time that the metrics are read. */
function measureAge(db: Database, registry: Registry, state: BlockWatch): void {
  new Gauge({
    name: 'ledger_mirror_newest_block_age_seconds',
    help: 'Age of the newest block that answers are given from, as consensus time; no value where it is not known.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const end = state.newestEnd ?? (await askNewestEnd(db));
      if (end === null) this.remove();
      else this.set(Date.now() / 1000 - Number(end) / 1e9);
    },
  });
}

/** null where there is no block, or no answer: metrics wait for nothing. */
async function askNewestEnd(db: Database): Promise<bigint | null> {
  const asked = selectNewestBlock(db).then(
    (block) => block?.consensusEnd ?? null,
    () => null,
  );
  return Promise.race([asked, sleep(500, null, { ref: false })]);
}

/** As many as there are cores do the most of the work; the others are there for when those are held by long queries. */
function usualConnections(): number {
  return Math.min(32, Math.max(10, 2 * availableParallelism()));
}

/** At least two: one connection may be lent while another query runs. */
function shareOf(all: number, workers: number): number {
  return Math.max(2, Math.ceil(all / workers));
}

/** The process that started the workers reports for all of them. */
function forwardStatus(app: FastifyInstance, { settings, worker }: { settings: Settings; worker: WorkerLink }) {
  const remote = readRemoteStatus(settings);
  if (settings.get('status-service') === 'on') addStatusForwarding(app, remote ? () => remote : worker.statusContact);
  return { begin() {}, async leave() {}, async close() {} };
}

function formatUrl({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`;
}
