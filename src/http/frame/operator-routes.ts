// Routes for operators and visitors: health, metrics, and the search of the landing page.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Ledger } from '../../ledger/ledger.ts';
import { QueryError } from '../../store/wire/database.ts';
import { type QueueFullError, queueIsFull } from '../../store/wire/session-pool.ts';
import type { HttpSettings } from '../http-settings.ts';
import type { Answer } from '../route.ts';
import { createSearch, readSearchText, searchPath } from '../site/search-route.ts';
import type { Responder } from './responder.ts';

type Context = {
  ledger: Ledger;
  settings: HttpSettings;
  registry: Registry;
  metrics(): Promise<string>;
};

/** Monitoring is answered when other requests are not. */
const watched: readonly (string | undefined)[] = ['/health/liveness', '/health/readiness', '/metrics'];

export function isForOperators({ routeOptions }: FastifyRequest): boolean {
  return watched.includes(routeOptions.url);
}

export function addOperatorRoutes(
  app: FastifyInstance,
  { ledger, settings, registry, metrics }: Context,
  responder: Responder,
): void {
  const answers: Record<string, () => Promise<Answer>> = {
    '/health/liveness': async () => ({ status: 200, body: '{"status":"ok"}' }),
    '/health/readiness': async () =>
      (await isReady()) ? { status: 200, body: '{"status":"ok"}' } : { status: 503, body: '{"status":"error"}' },
    '/metrics': async () => ({ status: 200, body: await metrics(), contentType: registry.contentType }),
  };
  for (const [url, answer] of Object.entries(answers)) {
    app.get(url, (request, reply) => {
      void responder.respond(request, reply, answer);
    });
  }

  const search = createSearch({ ledger, system: settings.system });
  app.get(searchPath, (request, reply) => {
    void responder.respond(request, reply, () => search(readSearchText(request.raw.url)));
  });

  async function isReady(): Promise<boolean> {
    try {
      return await ledger.isReady();
    } catch (error) {
      // It answers others, if any.
      const isFull = error instanceof QueryError && error.code === queueIsFull;
      if (isFull && !(error.cause as QueueFullError).isSilent) return true;
      app.log.warn({ err: error }, 'Not ready: the database does not answer');
      return false;
    }
  }
}
