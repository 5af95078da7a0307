// The six endpoints by path. A request becomes an ApiRequest, its route's answer or refusal goes out; nothing a route
// throws reaches Fastify.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createAccountRoute } from './accounts/account-route.ts';
import { createContractResultsRoute } from './contracts/contract-results-route.ts';
import { createContractRoute } from './contracts/contract-route.ts';
import { authorize } from './frame/basic-auth.ts';
import { parseQueryString } from './frame/query-string.ts';
import { refuse } from './frame/request-error.ts';
import type { Responder } from './frame/responder.ts';
import type { Route, RouteContext } from './route.ts';
import { createScheduleRoute } from './schedules/schedule-route.ts';
import { createSchedulesRoute } from './schedules/schedules-route.ts';
import { createTokenRoute } from './tokens/token-route.ts';

export function addApiRoutes(app: FastifyInstance, context: RouteContext, responder: Responder): void {
  const { settings } = context;
  const contract = createContractRoute(context);
  const contractResults = createContractResultsRoute(context);
  const routes: Record<string, Route> = {
    '/api/v1/tokens/:id': createTokenRoute(context),
    '/api/v1/accounts/:id': createAccountRoute(context),
    // Paths match in any case, but only `results` in lower case is the list; `RESULTS` is an id, and no good one.
    '/api/v1/contracts/:id': (request) => (request.id === 'results' ? contractResults : contract)(request),
    '/api/v1/schedules': createSchedulesRoute(context),
    '/api/v1/schedules/:id': createScheduleRoute(context),
  };
  for (const [url, route] of Object.entries(routes)) {
    app.get(url, (request, reply) => {
      void responder.respond(request, reply, async () => {
        const limitMax = authorize(request.headers.authorization, settings);
        const { path, queryText } = splitUrl(request);
        const { id = '' } = request.params as { id?: string };
        if (id === '' && url.endsWith(':id')) throw refuse('notFound');
        return route({ path, id, query: parseQueryString(queryText, settings.maxRepeatedParameters), limitMax });
      });
    });
  }
}

const parameterNames: readonly { path: RegExp; name: string }[] = [
  { path: /^\/api\/v1\/tokens\/[^/]+\/?$/i, name: 'tokenid' },
  { path: /^\/api\/v1\/accounts\/[^/]+\/?$/i, name: 'idOrAliasOrEvmAddress' },
  { path: /^\/api\/v1\/contracts\/[^/]+\/?$/i, name: 'contractid' },
  { path: /^\/api\/v1\/schedules\/[^/]+\/?$/i, name: 'scheduleid' },
];

/** A path whose percent-encoding cannot be read never meets its route: it is refused as the route would refuse it. */
export function refuseMalformedPath(request: FastifyRequest, reply: FastifyReply, responder: Responder): void {
  const { path } = splitUrl(request);
  const name = parameterNames.find((candidate) => candidate.path.test(path))?.name;
  void responder.respond(request, reply, async () => {
    throw name ? refuse('invalidParameter', { name }) : refuse('notFound');
  });
}

function splitUrl({ raw }: FastifyRequest): { path: string; queryText: string } {
  const url = raw.url ?? '/';
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path: path.endsWith('/') ? path.slice(0, -1) : path, queryText: mark < 0 ? '' : url.slice(mark + 1) };
}
