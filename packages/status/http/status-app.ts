// The HTTP side of the status service: JSON endpoints, pages, operations and reports. It needs neither database nor
// ledger, so that it answers when they do not.
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { type ConnectionLimits, defaultConnectionLimits } from '../../web-server/connection-limits.ts';
import type { TlsKeys } from '../../web-server/create-listener.ts';
import { createConnectionGuard } from '../../web-server/guard-connections.ts';
import { addWebGuard } from '../../web-server/guard-web.ts';
import { formatErrorBody } from '../../web-server/request-error.ts';
import { localAccess, type WebAccess } from '../../web-server/web-access.ts';
import { writeAnswer, writePreflight } from '../../web-server/write-answer.ts';
import type { StatusService } from '../create-status-service.ts';
import type { Webhooks } from '../webhooks/create-webhooks.ts';
import { addStatusPageRoutes } from './page/add-status-page-routes.ts';
import { addStatusBodyParsers } from './status-bodies.ts';
import { addStatusControlRoutes, controlRoot, type StatusControl } from './status-control-routes.ts';
import type { StatusGate } from './status-gate.ts';
import { addStatusManageRoutes } from './status-manage-routes.ts';
import { addStatusReportRoutes, reportPath, type StatusReporting } from './status-report-routes.ts';
import { addStatusRoutes } from './status-routes.ts';
import { addWebhookRoutes } from './webhook-routes.ts';

export type StatusAppOptions = {
  service: StatusService;
  webhooks: Webhooks;
  gate: StatusGate;
  /** ms since 1970 */
  clock(): number;
  log: FastifyBaseLogger;
  /** Also accepts reports and control requests; null for public listeners. */
  control: StatusControl | null;
  /** It listens in place of the query service: other paths are unavailable, not unknown. */
  standsIn: boolean;
  /** Accepts reports from other machines, too. */
  reporting?: StatusReporting;
  /** Set for HTTPS. */
  tls?: TlsKeys | null;
  limits?: ConnectionLimits;
  /** See GuardOptions. */
  clusterId?: string | null;
  /** By which names and from whose pages changes may be asked for; default: as on a machine of one's own. */
  access?: WebAccess;
  /** Addresses of proxies, whose forwarded client addresses are trusted. */
  trustProxy?: readonly string[];
};

const maxBodyBytes = 256 * 1024;

export function createStatusApp(options: StatusAppOptions): FastifyInstance {
  const { service, webhooks, gate, clock, log, control, standsIn } = options;
  const {
    limits = defaultConnectionLimits,
    trustProxy = [],
    access = localAccess,
    reporting,
    tls,
    clusterId,
  } = options;
  const guard = createConnectionGuard({
    limits,
    tls,
    clusterId,
    trustProxy,
    // The mirror's own reports come on the listener that accepts them.
    isForOperators: ({ routeOptions: { url } }) =>
      url !== undefined && (url.startsWith(controlRoot) || url.startsWith(reportPath)),
  });
  const app: FastifyInstance = fastify({
    ...guard.options,
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    forceCloseConnections: true,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
  });
  guard.addTo(app);
  addWebGuard(app, { access, isLetIn: (request) => gate.isOwn(request) || gate.isForwarded(request) });
  addStatusBodyParsers(app);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') writePreflight(request, reply);
    else done();
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (standsIn) reply.raw.setHeader('Retry-After', '10');
    const [status, message] = standsIn
      ? ([503, 'The query service is not running'] as const)
      : ([404, 'Not found'] as const);
    await writeAnswer(request, reply, { status, body: formatErrorBody([message]) });
  });
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ err: error, url: request.raw.url }, 'Request failed');
    const message = status >= 500 ? 'Internal error' : error.message;
    await writeAnswer(request, reply, { status, body: formatErrorBody([message]) });
  });
  addStatusRoutes(app, service);
  addStatusPageRoutes(app, { state: service.state, clock });
  addStatusManageRoutes(app, { service, gate });
  addWebhookRoutes(app, { webhooks, gate, state: service.state });
  if (reporting) addStatusReportRoutes(app, { gate, reporting });
  if (control) addStatusControlRoutes(app, control);
  return app;
}
