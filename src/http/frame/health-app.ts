// A small HTTP service for operators of a process that answers no queries: liveness, readiness, metrics.
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Answer } from '../route.ts';
import { defaultConnectionLimits } from './connection-limits.ts';
import { createConnectionGuard } from './guard-connections.ts';
import { refuse } from './request-error.ts';
import { createResponder } from './responder.ts';

export type HealthAppOptions = {
  log: Logger;
  registry: Registry;
  /** JSON text of the answer, and whether all is well. */
  readiness(): { ok: boolean; body: string };
};

/** Used by operators and their programs only. */
const maxConnections = 100;

export function createHealthApp({ log, registry, readiness }: HealthAppOptions): FastifyInstance {
  const responder = createResponder(log);
  const ownLog: FastifyBaseLogger = log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level });
  const guard = createConnectionGuard({ limits: { ...defaultConnectionLimits, maxConnections } });
  const app: FastifyInstance = fastify({
    loggerInstance: ownLog,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    ...guard.options,
  });
  guard.addTo(app);
  const answers: Record<string, () => Promise<Answer>> = {
    '/health/liveness': async () => ({ status: 200, body: '{"status":"ok"}' }),
    '/health/readiness': async () => {
      const { ok, body } = readiness();
      return { status: ok ? 200 : 503, body };
    },
    '/metrics': async () => ({ status: 200, body: await registry.metrics(), contentType: registry.contentType }),
  };
  for (const [url, answer] of Object.entries(answers)) {
    app.get(url, (request, reply) => {
      void responder.respond(request, reply, answer);
    });
  }
  app.setNotFoundHandler((request, reply) => {
    void responder.respond(request, reply, async () => {
      throw refuse('notFound');
    });
  });
  return app;
}
