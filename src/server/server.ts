// The HTTP side of the mirror on one Fastify instance: the endpoints, their documentation, health, metrics and the
// pages for people. Everything else is 404, and every failure ends as a `_status` body.

import type { Server } from 'node:http';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type ClientOutcomes, createClientOutcomes } from '../../packages/kit/shares/client-outcomes.ts';
import type { NetworkIdentity } from '../../packages/protocol/network-identity.ts';
import { noBlockWatch } from '../../packages/store/notify/block-watch.ts';
import type { VerifiedSources } from '../../packages/verification/verified-sources.ts';
import { type Admission, admitAll, createAdmission, type ThreadState } from '../../packages/web-server/admission.ts';
import { type ClientOf, createClientOf } from '../../packages/web-server/client-of.ts';
import { type ConnectionLimits, defaultConnectionLimits } from '../../packages/web-server/connection-limits.ts';
import { type ConnectionGuard, createConnectionGuard } from '../../packages/web-server/guard-connections.ts';
import { addWebGuard } from '../../packages/web-server/guard-web.ts';
import { addRateLimit, type RateLimits } from '../../packages/web-server/limit-rate.ts';
import { createLongWrites } from '../../packages/web-server/long-writes.ts';
import { refuse } from '../../packages/web-server/request-error.ts';
import { isEscapedOutsideParameters } from '../../packages/web-server/request-target.ts';
import { createResponder, type Responder } from '../../packages/web-server/responder.ts';
import { findSessionOrigin } from '../../packages/web-server/session-origin.ts';
import { accessForAll, type WebAccess } from '../../packages/web-server/web-access.ts';
import { writePreflight } from '../../packages/web-server/write-answer.ts';
import { writeMetrics } from '../../packages/web-server/write-metrics.ts';
import { type AnswerCache, type AnswerCacheOptions, createAnswerCache } from '../api/frame/answer-cache.ts';
import { askInDialect, takeAskedDialect } from '../api/frame/asked-dialect.ts';
import { authorize } from '../api/frame/basic-auth.ts';
import { createExtentNote } from '../api/frame/extent-note.ts';
import type { HttpSettings } from '../api/frame/http-settings.ts';
import { addOperatorRoutes, isForOperators } from '../api/frame/operator-routes.ts';
import { addRequestMetrics } from '../api/frame/request-metrics.ts';
import { createSharedPages } from '../api/frame/shared-pages.ts';
import type { Dialect } from '../api/reading/query/dialect.ts';
import type { Calls } from '../calls/create-calls.ts';
import { type ContractAbis, noContractAbis } from '../contracts/abi/create-contract-abis.ts';
import type { VerifiedShare } from '../contracts/whole-ledger/count-matches.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createNetworkPaths, networkConstraint } from '../pages/frame/network-slug.ts';
import type { PageSite } from '../pages/frame/page-frame.ts';
import type { Labels } from '../pages/parts/labels.ts';
import { addSite } from '../pages/site/add-site.ts';
import type { ShowPage } from '../pages/site/site-routes.ts';
import { addEndpoints } from './add-endpoints.ts';
import { addDocsRoutes } from './document/docs-routes.ts';
import { refuseMalformedPath } from './malformed-path.ts';

export type MirrorServer = FastifyInstance & {
  /** Another port of the same service, with the same limits; `before` sees each request first. */
  createListener: ConnectionGuard['createListener'];
  /** The same, whose `/api/v1` is the dialect `hiero`. */
  createHieroListener(): Server;
  /** Whose share a request takes. */
  clientOf: ClientOf;
  /** How requests ended, in any protocol. */
  outcomes: ClientOutcomes;
  /** For routes that are added later. */
  admission: Admission;
  /** For answers in other protocols; null = none is kept. */
  cache: AnswerCache | null;
  /** What pages say of this server. */
  site: PageSite;
  /** Answers with the page about the API, where another route is at its place. */
  showApiPage: ShowPage;
};

export type ServerOptions = {
  ledger: Ledger;
  calls: Calls;
  /** Of contracts whose sources were checked; default: none was. */
  abis?: ContractAbis;
  /** How many contracts have sources; default: they are not counted. */
  verifiedShare?(): Promise<VerifiedShare | null>;
  /** What was checked of this ledger's contracts, for pages; default: nothing. */
  sources?: VerifiedSources | null;
  /** Of `/api/v1`; `/spec/api/v1` and `/hiero/api/v1` always exist. */
  dialect: Dialect;
  settings: HttpSettings;
  log: Logger;
  /** Where request metrics are counted, and what `/metrics` shows. */
  registry: Registry;
  /** Shown instead of the registry's own, if several processes answer as one; null = another port shows them. */
  metrics?: (() => Promise<string>) | null;
  /** Shown on every page. */
  network: Pick<NetworkIdentity, 'name'>;
  /** Names that pages show beside ids; default: none. */
  labels?: Labels;
  /** Maximum size of cached answers, bytes; null = no cache. */
  cache?: Pick<AnswerCacheOptions, 'maxBytes' | 'blocks' | 'clockReadings'> | null;
  limits?: ConnectionLimits;
  /** See GuardOptions. */
  clusterId?: string | null;
  http2Elsewhere?: string;
  /** How long a server that is shutting down accepts requests. */
  drainMs?: number;
  /** Whether a new request would not wait too long; others are refused. null = none is. */
  hasRoom?: (() => boolean) | null;
  /** How far this thread is behind; default: it is not. */
  thread?: ThreadState;
  /** null = no rate limit. */
  rateLimits?: RateLimits | null;
  /** Addresses of proxies, whose forwarded client addresses are trusted. */
  trustProxy?: readonly string[];
  /** API key → name of its owner. */
  apiKeys?: ReadonlyMap<string, string>;
  /** Origins of pages on other sites that may use sessions of contract checks. */
  sessionOrigins?: readonly string[];
  /** By which names, and from whose pages, more than to read may be asked for; default: by all. */
  access?: WebAccess;
  /** Before a request that names entities is read: waits while the network is unknown. null = it is known. */
  awaitNetwork?(): Promise<void> | null;
};

/** Ready to `listen`, or to get further routes first. */
export function createServer({
  ledger,
  calls,
  abis = noContractAbis,
  verifiedShare = async () => null,
  sources = null,
  dialect,
  settings,
  log,
  registry,
  metrics = () => writeMetrics(registry),
  network,
  labels = new Map(),
  cache = null,
  limits = defaultConnectionLimits,
  clusterId = null,
  http2Elsewhere,
  drainMs = 0,
  hasRoom = null,
  thread,
  rateLimits = null,
  trustProxy = [],
  apiKeys = new Map(),
  sessionOrigins = [],
  access = accessForAll,
  awaitNetwork = () => null,
}: ServerOptions): MirrorServer {
  const clientOf = createClientOf({ trustProxy, keys: apiKeys });
  const paths = createNetworkPaths(network);
  const responder = createResponder(log, createExtentNote(ledger.held), createLongWrites({ clientOf, thread }));
  const admission = hasRoom ? createAdmission({ hasRoom, registry, ...(thread && { thread }) }) : admitAll;
  const guarded = { limits, drainMs, clusterId, trustProxy, access, http2Elsewhere };
  const guard = createConnectionGuard({ ...guarded, registry, isForOperators });
  // Fastify logs only failures, and no more than the log's level; the command reports the address.
  const ownLog: FastifyBaseLogger = log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level });
  // Nothing is logged about a single request through Fastify, so none needs a log; Fastify would check another
  // factory's log for every method at each request.
  ownLog.child = () => ownLog;
  const app: FastifyInstance = fastify({
    loggerInstance: ownLog,
    logController: new LogController({ disableRequestLogging: true }),
    ...guard.options,
    rewriteUrl: (request) => takeAskedDialect(request, guard.options.rewriteUrl(request)),
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      // Long ids are refused by their routes; Node itself limits the whole head of a request to 16 KiB.
      maxParamLength: 16_384,
      constraints: { network: networkConstraint(paths) },
      // Each route parses the query in the API's own way.
      querystringParser: () => ({}),
    },
    frameworkErrors: (_error, request, reply) => {
      if (request.method === 'OPTIONS') writePreflight(request, reply);
      else refuseMalformedPath(request, reply, { responder, dialect, settings });
    },
  });
  guard.addTo(app);
  addWebGuard(app, { access });
  if (rateLimits) addRateLimit(app, { ...rateLimits, isExempt: isForOperators });

  addFirstAnswers(app, { responder, settings, sessionOrigins, awaitNetwork });
  app.setErrorHandler((error, request, reply) => {
    void responder.respond(request, reply, async () => {
      throw error;
    });
  });
  const outcomes = createClientOutcomes();
  addRequestMetrics(app, registry, { outcomes, clientOf });
  const kept = cache && createAnswerCache({ ...cache, registry });
  addEndpoints(
    app,
    { ledger, calls, abis, verifiedShare, dialect, settings },
    { responder, cache: kept, admission, clientOf },
  );
  const blocks = cache?.blocks ?? noBlockWatch;
  const pages = createSharedPages(app, { responder, registry, blocks });
  addDocsRoutes(app, { dialect, settings, ledger, hasMetrics: metrics !== null }, { responder, pages });
  const { isEnding } = guard;
  const { requiresProof } = settings;
  addOperatorRoutes(app, { ledger, registry, metrics, requiresProof, isEnding }, pages);
  const route = { ledger, calls, abis, verifiedShare, settings };
  const isBusy = () => thread?.isHalfUsed() ?? false;
  const frame = { responder, shared: pages, cache: kept, admission, clientOf, registry, blocks, isBusy };
  const { site, showApiPage } = addSite(app, { route, network, paths, labels, dialect, sources }, frame);
  const { createListener } = guard;
  const createHieroListener = () => createListener((request) => askInDialect(request, 'hiero'));
  return Object.assign(app, {
    createListener,
    createHieroListener,
    clientOf,
    outcomes,
    admission,
    cache: kept,
    site,
    showApiPage,
  });
}

/** Not monitoring, nor requests to the status service, which answers without a database. */
function namesEntities(request: FastifyRequest): boolean {
  return !isForOperators(request) && !/^\/(?:api\/v2|status)(?:\/|$)/.test(request.routeOptions.url ?? '');
}

type FirstAnswers = Required<Pick<ServerOptions, 'settings' | 'sessionOrigins' | 'awaitNetwork'>> & {
  responder: Responder;
};

/** Answers preflights and unknown paths. */
function addFirstAnswers(app: FastifyInstance, given: FirstAnswers): void {
  const { responder, settings, sessionOrigins, awaitNetwork } = given;
  // Before any body is read, which no route may need.
  app.addHook('onRequest', (request, reply, done) => {
    const target = request.raw.url!;
    if (request.method === 'OPTIONS') {
      writePreflight(request, reply, findSessionOrigin(request, sessionOrigins)?.origin);
    } else if (
      request.is404 ||
      (target.includes('%') && isEscapedOutsideParameters(target, request.routeOptions.url!))
    ) {
      void responder.respond(request, reply, async () => {
        authorize(request.headers.authorization, settings);
        throw refuse('notFound');
      });
    } else {
      const looking = namesEntities(request) ? awaitNetwork() : null;
      if (looking) looking.then(() => done(), done);
      else done();
    }
  });
}
