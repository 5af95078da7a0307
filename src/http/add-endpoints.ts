// The routes of the API. A request becomes an ApiRequest, its endpoint's answer or refusal goes out; nothing that a route
// throws reaches Fastify.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { dialectAskedFor, findDialect } from './dialect/find-dialect.ts';
import { dialectOf, type Endpoint } from './endpoint/endpoint.ts';
import { createEndpointRoute, refusePathParameter } from './endpoint/endpoint-route.ts';
import type { Admission } from './frame/admission.ts';
import type { AnswerCache } from './frame/answer-cache.ts';
import { answerKey, typedTarget } from './frame/asked-dialect.ts';
import { authorize } from './frame/basic-auth.ts';
import { makeReady, type ReadyAnswer } from './frame/ready-answer.ts';
import { type RequestError, refuse } from './frame/request-error.ts';
import type { AnswerForm, Responder } from './frame/responder.ts';
import type { Answer, ApiRequest, Route } from './frame/route.ts';
import type { RouteContext } from './reading/query/context.ts';
import type { Dialect } from './reading/query/dialect.ts';
import { endpoints } from './resources/endpoints.ts';
import { unknownPaths, unservedPaths } from './resources/unserved-paths.ts';

type Frame = {
  responder: Responder;
  /** null = every answer is asked. */
  cache: AnswerCache | null;
  /** null = every question is let in. */
  admission: Admission | null;
};

/** An endpoint in one dialect. */
type Side = { route: Route; form?: AnswerForm };
/** By the dialect that a request asks for. */
type SideOf = (request: FastifyRequest) => Side;

/** `context`: with the dialect that is meant where a request says none. */
export function addEndpoints(
  app: FastifyInstance,
  context: RouteContext,
  { responder, cache, admission }: Frame,
): void {
  const routesOf = createRoutes(context, admission);
  for (const endpoint of endpoints) {
    const { method, path, body } = endpoint;
    const sideOf = chooseSide(endpoint);
    if (cache && method === 'GET') addCachedRoute(endpoint, sideOf, cache);
    else addRoute(path, sideOf, { method, maxBodyBytes: body?.maxBytes });
  }
  for (const { method, path } of unservedPaths) {
    const route: Route = async ({ params }) => {
      throw Object.values(params).every(Boolean) ? refuse('notServed', { path }) : refuse('notFound');
    };
    addRoute(path, () => ({ route }), { method });
  }
  for (const path of unknownPaths) {
    const answer = (): Promise<Answer> => Promise.reject(refuse('notFound'));
    app.route({
      method: ['GET', ...otherMethods],
      url: path,
      // Before any body is read.
      onRequest: (request, reply) => void responder.respond(request, reply, answer),
      handler: () => undefined,
    });
  }
  for (const endpoint of endpoints) {
    if (endpoint.java && endpoint.method === 'GET') refuseOtherMethods(endpoint);
  }

  function chooseSide(endpoint: Endpoint): SideOf {
    const makeSide = (dialect: Dialect): Side => ({
      route: routesOf(dialect, endpoint),
      form: toAnswerForm(endpoint, dialect),
    });
    const own = makeSide(context.dialect);
    // Made when first asked for: writers and readers of every endpoint take memory, and most mirrors are asked in one dialect.
    const others = new Map<Dialect, Side>([[context.dialect, own]]);
    return ({ raw: { asked } }) => {
      if (asked === undefined) return own;
      const dialect = findDialect(asked.name);
      const side = others.get(dialect) ?? makeSide(dialect);
      others.set(dialect, side);
      return side;
    };
  }

  function addRoute(
    path: string,
    sideOf: SideOf,
    options: { method?: 'GET' | 'POST'; maxBodyBytes?: number | undefined },
  ): void {
    const { method = 'GET', maxBodyBytes } = options;
    const url = toRoutePath(path);
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      const { route, form } = sideOf(request);
      const answer = (): Promise<Answer> => {
        const limitMax = authorize(request.headers.authorization, context.settings);
        const asked = toApiRequest(request, limitMax);
        return route(maxBodyBytes === undefined ? asked : { ...asked, body: bodyOf(request) });
      };
      void responder.respond(request, reply, answer, form);
    };
    if (maxBodyBytes === undefined) app.route({ method, url, handler });
    else app.register(async (scope) => addBodyRoute(scope, { method, url, handler, maxBodyBytes, sideOf }));
  }

  function addBodyRoute(
    scope: FastifyInstance,
    { maxBodyBytes: bodyLimit, sideOf, ...route }: RouteOptions & { maxBodyBytes: number; sideOf: SideOf },
  ): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const { statusCode } = error as { statusCode?: number };
      const type = request.headers['content-type'] ?? '';
      const refused = { 413: refuse('bodyTooLarge'), 415: refuse('unsupportedMediaType', { type }) };
      const refusal = refused[statusCode as keyof typeof refused] ?? error;
      void responder.respond(request, reply, () => Promise.reject(refusal), sideOf(request).form);
    });
    scope.route(route);
  }

  function addCachedRoute({ path, minFresh }: Endpoint, sideOf: SideOf, cache: AnswerCache): void {
    const ask = (request: FastifyRequest, { route, form }: Side): Promise<ReadyAnswer> => {
      const { settings } = context;
      const limitMax = authorize(request.headers.authorization, settings);
      const typed = answerKey(request.raw);
      const key = limitMax === settings.limitMax ? typed : `${limitMax} ${typed}`;
      const found = cache.find(key);
      if (found) return Promise.resolve(found);
      return cache.ask(key, minFresh * 1000, async () => {
        const answer = await route(toApiRequest(request, limitMax));
        return { answer: makeReady(answer, form?.shapes), keep: answer.keep };
      });
    };
    app.route({
      method: 'GET',
      url: toRoutePath(path),
      handler(request, reply) {
        // Credentials may be wrong, or allow longer pages.
        const found = request.headers.authorization === undefined ? cache.find(answerKey(request.raw)) : undefined;
        const side = sideOf(request);
        void responder.respondReady(request, reply, found ?? (() => ask(request, side)), side.form);
      },
    });
  }

  /** Where the dialect does so; in the others there is no such route. */
  function refuseOtherMethods(endpoint: Endpoint): void {
    const { path } = endpoint;
    const url = toRoutePath(path);
    const isPosted =
      endpoints.some((other) => other.path === path && other.method === 'POST') ||
      app.hasRoute({ method: 'POST', url });
    const method = otherMethods.filter((other) => other !== 'POST' || !isPosted);
    app.route({
      method,
      url,
      // Before any body is read.
      onRequest(request, reply) {
        const { refusesMethods, shapes } = dialectOf(endpoint, dialectAskedFor(request.raw, context.dialect));
        const answer = async (): Promise<Answer> => {
          if (refusesMethods) throw refuse('methodNotAllowed', { method: request.method });
          authorize(request.headers.authorization, context.settings);
          throw refuse('notFound');
        };
        void responder.respond(request, reply, answer, refusesMethods ? { shapes } : undefined);
      },
      handler: () => undefined,
    });
  }
}

/** Each route once in each dialect that is asked for. */
function createRoutes(context: RouteContext, admission: Admission | null) {
  const made = new Map<Dialect, Map<Endpoint, Route>>();
  return (dialect: Dialect, endpoint: Endpoint): Route => {
    const routes = made.get(dialect) ?? new Map<Endpoint, Route>();
    made.set(dialect, routes);
    const toRoute = (one: Endpoint): Route => {
      const route = routes.get(one) ?? createEndpointRoute(one, { ...context, dialect }, admission);
      routes.set(one, route);
      return route;
    };
    const rival = findRival(endpoint);
    const route = toRoute(endpoint);
    return rival ? chooseByCase(endpoint, route, { rival, route: toRoute(rival) }) : route;
  };
}

function bodyOf({ body, headers }: FastifyRequest): ApiRequest['body'] {
  return { contentType: headers['content-type'], bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
}

const otherMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

function toRoutePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function toAnswerForm(endpoint: Endpoint, dialect: Dialect): AnswerForm {
  const { shapes, tellsExtent } = dialectOf(endpoint, dialect);
  return { shapes, tellsExtent, cacheControl: shapes.cachesErrors ? endpoint.errorCacheControl : undefined };
}

/** The endpoint whose path has a parameter where this one has its last fixed word. */
function findRival({ path, method }: Endpoint): Endpoint | undefined {
  if (path.endsWith('}')) return undefined;
  const parent = path.slice(0, path.lastIndexOf('/') + 1);
  return endpoints.find(
    (other) =>
      other.method === method && other.path.startsWith(parent) && /^\{\w+\}$/.test(other.path.slice(parent.length)),
  );
}

/** Paths match in any case, but `contracts/RESULTS` is an id, and no good one. */
function chooseByCase({ path, inOtherCase }: Endpoint, route: Route, other: { rival: Endpoint; route: Route }): Route {
  if (inOtherCase === 'same') return route;
  const word = path.slice(path.lastIndexOf('/') + 1);
  const name = other.rival.path.slice(other.rival.path.lastIndexOf('/') + 2, -1);
  return async (request) => {
    const text = decodeURIComponent(request.path.slice(request.path.lastIndexOf('/') + 1));
    if (text === word) return route(request);
    // What it refuses counts, what it finds does not.
    if (inOtherCase === 'judged') await route(request);
    return other.route({ ...request, params: { ...request.params, [name]: text } });
  };
}

/** A path whose percent-encoding cannot be read never meets its route: it is refused as the route would refuse it. */
export function refuseMalformedPath(
  request: FastifyRequest,
  reply: FastifyReply,
  { responder, dialect, settings }: { responder: Responder } & Pick<RouteContext, 'dialect' | 'settings'>,
): void {
  const { path } = splitTarget(request.raw.url ?? '/');
  const { refusal, form } = judgeMalformedPath(path, dialectAskedFor(request.raw, dialect));
  const answer = async (): Promise<never> => {
    authorize(request.headers.authorization, settings);
    throw refusal;
  };
  void responder.respond(request, reply, answer, form);
}

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`, 'i'),
}));

function judgeMalformedPath(path: string, dialect: Dialect): { refusal: RequestError; form?: AnswerForm } {
  for (const { endpoint, pattern } of patterns) {
    const [, ...texts] = pattern.exec(path) ?? [];
    const malformed = Object.keys(endpoint.in)[texts.findIndex((text) => !isDecodable(text))];
    if (malformed === undefined) continue;
    return { refusal: refusePathParameter(endpoint, malformed, dialect), form: toAnswerForm(endpoint, dialect) };
  }
  return { refusal: refuse('notFound') };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function toApiRequest(request: FastifyRequest, limitMax: number): ApiRequest {
  const params = request.params as Record<string, string | undefined>;
  return { ...splitTarget(typedTarget(request.raw)), params, limitMax };
}

function splitTarget(url: string): { path: string; queryText: string } {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path: path.endsWith('/') ? path.slice(0, -1) : path, queryText: mark < 0 ? '' : url.slice(mark + 1) };
}
