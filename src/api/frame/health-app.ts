// A small HTTP service for operators of a process that answers no queries: liveness, readiness, metrics.
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { noBlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { defaultConnectionLimits } from '../../../packages/web-server/connection-limits.ts';
import { createConnectionGuard } from '../../../packages/web-server/guard-connections.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { createResponder } from '../../../packages/web-server/responder.ts';
import { writeMetrics } from '../../../packages/web-server/write-metrics.ts';
import { createSharedPages } from './shared-pages.ts';

export type HealthAppOptions = {
  log: Logger;
  registry: Registry;
  /** Instead of the registry's own. */
  metrics?(): Promise<string>;
  /** JSON text of the answer, and whether it is ready. */
  readiness(): Readiness | Promise<Readiness>;
  /** See GuardOptions. */
  clusterId: string | null;
};

type Readiness = { ok: boolean; body: string };

/** Used by operators and their programs only. */
const maxConnections = 100;

export function createHealthApp(options: HealthAppOptions): FastifyInstance {
  const { log, registry, metrics = () => writeMetrics(registry), readiness } = options;
  const responder = createResponder(log);
  const ownLog: FastifyBaseLogger = log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level });
  const guard = createConnectionGuard({
    limits: { ...defaultConnectionLimits, maxConnections },
    clusterId: options.clusterId,
  });
  const app: FastifyInstance = fastify({
    loggerInstance: ownLog,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    ...guard.options,
  });
  guard.addTo(app);
  const { add: addPage } = createSharedPages(app, { responder, blocks: noBlockWatch });
  addPage('/health/liveness', 'program', async () => ({ status: 200, body: '{"status":"ok"}' }));
  addPage('/health/readiness', 'asked', async () => {
    const { ok, body } = await readiness();
    return { status: ok ? 200 : 503, body };
  });
  const { contentType } = registry;
  addPage('/metrics', 'asked', async () => ({ status: 200, body: await metrics(), contentType }));
  app.setNotFoundHandler((request, reply) => {
    void responder.respond(request, reply, async () => {
      throw refuse('notFound');
    });
  });
  return app;
}
