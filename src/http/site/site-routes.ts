// What is at the root of this port: the page or the index at `/`, and the small files of a site.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ledger } from '../../ledger/ledger.ts';
import { parseQueryString } from '../frame/query-string.ts';
import { refuse } from '../frame/request-error.ts';
import type { Responder } from '../frame/responder.ts';
import type { HttpSettings } from '../http-settings.ts';
import { readFilters } from '../parameters/query-parameters.ts';
import type { Answer } from '../route.ts';
import { refuseJsonRpc } from './json-rpc.ts';
import { favicon, formatLandingPage } from './landing-page.ts';
import { formatServiceIndex, readAccept } from './service-index.ts';
import { formatSecurityText, robots } from './site-files.ts';
import { sitePolicy } from './site-frame.ts';

type Context = { ledger: Ledger; settings: HttpSettings; networkName: string };

const textType = 'text/plain; charset=utf-8';
const forADay = 'public, max-age=86400';
/** More than any batch of calls that is meant. */
const maxBodyBytes = 65_536;

export function addSiteRoutes(
  app: FastifyInstance,
  { ledger, settings, networkName }: Context,
  responder: Responder,
): void {
  const answers: Record<string, (request: FastifyRequest) => Promise<Answer>> = {
    '/': answerStart,
    '/favicon.svg': showIcon,
    // Asked for beside every document that is no page of ours; browsers go by the type.
    '/favicon.ico': showIcon,
    '/robots.txt': async () => ({ status: 200, body: robots, contentType: textType, cacheControl: forADay }),
    '/.well-known/security.txt': async () => {
      const { securityContact: contact, clock } = settings;
      if (contact === null) throw refuse('notFound');
      return {
        status: 200,
        body: formatSecurityText({ contact, now: clock() }),
        contentType: textType,
        cacheControl: forADay,
      };
    },
  };
  for (const [url, answer] of Object.entries(answers)) {
    app.get(url, (request, reply) => {
      void responder.respond(request, reply, () => answer(request));
    });
  }
  app.register(async (scope) => addRefusedCalls(scope, responder));

  async function answerStart({ headers, raw }: FastifyRequest): Promise<Answer> {
    const wanted = readAccept(headers.accept);
    const url = raw.url!;
    const mark = url.indexOf('?');
    const query = mark < 0 ? [] : parseQueryString(url.slice(mark + 1), settings.maxRepeatedParameters);
    if (query.length > 0) {
      // People follow links that others have added something to; a program believes that it was understood.
      if (wanted === 'page')
        return {
          status: 302,
          body: '',
          location: '/',
          contentType: htmlType,
          cacheControl: 'no-cache',
          vary: 'Accept',
        };
      readFilters(query, {}, settings.maxRepeatedParameters);
    }
    const found = {
      networkName,
      examples: await ledger.examples(),
      hasStatus: app.hasRoute({ method: 'GET', url: '/status' }),
      hasVerification: app.hasRoute({ method: 'POST', url: '/verify/explorer' }),
      now: settings.clock(),
    };
    if (wanted === 'json') {
      const body = formatServiceIndex({ ...found, block: found.examples.block });
      return { status: 200, body, cacheControl: 'no-cache', vary: 'Accept' };
    }
    return {
      status: 200,
      body: formatLandingPage(found),
      contentType: htmlType,
      cacheControl: 'no-cache',
      contentSecurityPolicy: sitePolicy,
      vary: 'Accept',
    };
  }
}

async function showIcon(): Promise<Answer> {
  return { status: 200, body: favicon, contentType: 'image/svg+xml', cacheControl: forADay };
}

const htmlType = 'text/html; charset=utf-8';

/** POST to `/`, of whatever type it says to be. */
function addRefusedCalls(scope: FastifyInstance, responder: Responder): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, body: unknown): void => {
    void responder.respond(request, reply, async () => {
      const refused = Buffer.isBuffer(body) ? refuseJsonRpc(body) : null;
      if (!refused) throw refuse('notFound');
      return refused;
    });
  };
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
    done(null, body),
  );
  // A body that is too long, or of no type: nothing is at this place for it.
  scope.setErrorHandler((_error, request, reply) => answer(request, reply, null));
  scope.post('/', (request, reply) => answer(request, reply, request.body));
}
