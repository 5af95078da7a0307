// Routes for operators and visitors: health, metrics, the landing page with its search and its icon.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Ledger } from '../../ledger/ledger.ts';
import { QueryError } from '../../store/wire/database.ts';
import { type QueueFullError, queueIsFull } from '../../store/wire/session-pool.ts';
import type { HttpSettings } from '../http-settings.ts';
import { favicon, formatLandingPage } from '../site/landing-page.ts';
import { createSearch, readSearchText, searchPath } from '../site/search-route.ts';
import { sitePolicy } from '../site/site-frame.ts';
import type { Admission } from './admission.ts';
import type { Responder } from './responder.ts';
import type { AddPage } from './shared-pages.ts';

type Context = {
  ledger: Ledger;
  settings: HttpSettings;
  registry: Registry;
  /** null: they are shown on another port. */
  metrics: (() => Promise<string>) | null;
  networkName: string;
  admission: Admission | null;
  /** Whether the program is ending: others are to be asked. */
  isEnding(): boolean;
};

/** Monitoring is answered when other requests are not. */
const watched: readonly (string | undefined)[] = ['/health/liveness', '/health/readiness', '/metrics'];

export function isForOperators({ routeOptions }: FastifyRequest): boolean {
  return watched.includes(routeOptions.url);
}

export function addOperatorRoutes(
  app: FastifyInstance,
  { ledger, settings, registry, metrics, networkName, admission, isEnding }: Context,
  { responder, addPage }: { responder: Responder; addPage: AddPage },
): void {
  addPage('/', 'now', async () => ({
    status: 200,
    body: formatLandingPage({
      networkName,
      examples: await ledger.examples(),
      hasStatus: app.hasRoute({ method: 'GET', url: '/status' }),
      hasVerification: app.hasRoute({ method: 'POST', url: '/verify/explorer' }),
      now: settings.clock(),
    }),
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    contentSecurityPolicy: sitePolicy,
  }));
  addPage('/favicon.svg', 'program', async () => ({
    status: 200,
    body: favicon,
    contentType: 'image/svg+xml',
    cacheControl: 'public, max-age=86400',
  }));
  addPage('/health/liveness', 'program', async () => ({ status: 200, body: '{"status":"ok"}' }));
  addPage('/health/readiness', 'asked', async () =>
    (await isReady()) ? { status: 200, body: '{"status":"ok"}' } : { status: 503, body: '{"status":"error"}' },
  );
  if (metrics) {
    const { contentType } = registry;
    addPage('/metrics', 'asked', async () => ({ status: 200, body: await metrics(), contentType }));
  }

  const search = createSearch({ ledger, system: settings.system });
  app.get(searchPath, (request, reply) => {
    void responder.respond(request, reply, async () => {
      admission?.enter();
      try {
        return await search(readSearchText(request.raw.url));
      } finally {
        admission?.leave(true);
      }
    });
  });

  async function isReady(): Promise<boolean> {
    if (isEnding()) return false;
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
