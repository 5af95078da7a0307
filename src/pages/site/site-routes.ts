// What is at the root of this port: the page or the index at `/`, the page about the API, and the small files of a
// site.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { favicon } from '../../../packages/kit/favicon.ts';
import type { Admission } from '../../../packages/web-server/admission.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import { makeReady } from '../../../packages/web-server/ready-answer.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { Responder } from '../../../packages/web-server/responder.ts';
import type { SharedPages } from '../../api/frame/shared-pages.ts';
import { readFilters } from '../../api/reading/query/query-parameters.ts';
import { parseQueryString, type Query } from '../../api/reading/query/query-string.ts';
import { htmlAnswer } from '../add-pages.ts';
import { framePage, type PageSite } from '../frame/page-frame.ts';
import { htmlType } from '../frame/refusal-page.ts';
import { showHome } from '../home/home-page.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatApiPage } from './api-page.ts';
import { maxCallBytes, refuseJsonRpc } from './json-rpc.ts';
import { addSearchRoute } from './search-route.ts';
import { formatServiceIndex, readAccept } from './service-index.ts';
import { formatSecurityText, robots } from './site-files.ts';
import { addSuggestRoute } from './suggest-route.ts';

type Context = { context: PageContext; site: PageSite; admission: Admission; clientOf: ClientOf };

const textType = 'text/plain; charset=utf-8';
const forADay = 'public, max-age=86400';
/** A decorator of the server: another route answers `POST /`, and calls there with `refuseJsonRpc`. */
export const rootIsTaken = 'rootIsTaken';
/** The same of `/api`, whose page those routes show. */
export const apiIsTaken = 'apiIsTaken';

const rootPaths = [
  ['tx', 'transaction'],
  ['token', 'token'],
  ['block', 'block'],
] as const;

export type ShowPage = (request: FastifyRequest, reply: FastifyReply) => void;

export function addSiteRoutes(
  app: FastifyInstance,
  { context, site, admission, clientOf }: Context,
  { responder, pages }: { responder: Responder; pages: SharedPages },
): ShowPage {
  const { ledger, settings } = context;
  const icon = { status: 200, body: favicon, contentType: 'image/svg+xml', cacheControl: forADay };
  // `.ico` is requested beside documents that are not our pages; browsers use the content type.
  for (const url of ['/favicon.svg', '/favicon.ico']) pages.add(url, 'program', async () => icon);
  pages.add('/robots.txt', 'program', async () => ({
    status: 200,
    body: robots,
    contentType: textType,
    cacheControl: forADay,
  }));
  pages.add('/.well-known/security.txt', 'now', async () => {
    const { securityContact: contact, clock } = settings;
    if (contact === null) throw refuse('notFound');
    const body = formatSecurityText({ contact, now: clock() });
    return { status: 200, body, contentType: textType, cacheControl: forADay };
  });
  const start = { cacheControl: 'no-cache', vary: 'Accept' };
  const askPage = pages.share('/', 'now', async () => ({
    ...htmlAnswer(framePage(site, { ...(await showHome(context)), path: '/', search: null })),
    ...start,
  }));
  const askIndex = pages.share('/ as JSON', 'now', async () => {
    const { block } = await ledger.examples();
    const { networkName } = site;
    return { ...start, status: 200, body: formatServiceIndex({ networkName, hasStatus: site.hasStatus(), block }) };
  });
  const askApiPage = pages.share('/api', 'now', async () => {
    const hasVerification = app.hasRoute({ method: 'POST', url: '/verify/explorer' });
    const hasRpc = app.hasRoute({ method: 'POST', url: '/rpc' });
    const now = settings.clock();
    return htmlAnswer(formatApiPage(site, { examples: await ledger.examples(), hasVerification, hasRpc, now }));
  });
  const showApiPage = (request: FastifyRequest, reply: FastifyReply): void => {
    void responder.respondReady(request, reply, askApiPage);
  };
  app.get('/', (request, reply) => {
    void responder.respondReady(request, reply, async () => {
      const wanted = readAccept(request.headers.accept);
      const query = readQuery(request);
      // Links may have extra parameters added by others; a program would believe that they had an effect.
      if (query.length > 0 && wanted === 'page') {
        return makeReady({ ...start, status: 302, body: '', location: '/', contentType: htmlType });
      }
      readFilters(query, {}, settings.maxRepeatedParameters);
      return wanted === 'json' ? askIndex() : askPage();
    });
  });
  // Etherscan's, which links of wallets and tools are made of.
  for (const [path, page] of rootPaths) {
    app.get(`/${path}/:named`, (request, reply) => {
      const { named } = request.params as { named: string };
      const location = `/${site.slug}/${page}/${encodeURIComponent(named)}`;
      void responder.respond(request, reply, async () => ({
        ...{ status: 302, body: '', location, cacheControl: 'no-cache', contentType: htmlType },
      }));
    });
  }
  // Routes that are added later are known when the server is ready.
  app.register(async (scope) => {
    if (!app.hasDecorator(rootIsTaken)) addRefusedCalls(scope, responder);
    if (!app.hasDecorator(apiIsTaken)) scope.get('/api', showApiPage);
  });
  const search = { context, admission, clientOf, site };
  addSearchRoute(app, search, responder);
  addSuggestRoute(app, search, responder);
  return showApiPage;

  function readQuery({ raw }: FastifyRequest): Query {
    const mark = raw.url!.indexOf('?');
    return mark < 0 ? [] : parseQueryString(raw.url!.slice(mark + 1), settings.maxRepeatedParameters);
  }
}

/** POST to `/`, of any content type. */
function addRefusedCalls(scope: FastifyInstance, responder: Responder): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, body: unknown): void => {
    void responder.respond(request, reply, async () => {
      const refused = Buffer.isBuffer(body) ? refuseJsonRpc(body) : null;
      if (!refused) throw refuse('notFound');
      return refused;
    });
  };
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxCallBytes }, (_request, body, done) =>
    done(null, body),
  );
  // A body that is too long, or has no content type: nothing here accepts it.
  scope.setErrorHandler((_error, request, reply) => answer(request, reply, null));
  scope.post('/', (request, reply) => answer(request, reply, request.body));
}
