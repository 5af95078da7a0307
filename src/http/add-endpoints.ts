// The routes of the API. A request becomes an ApiRequest, its endpoint's answer or refusal goes out; nothing that a route
// throws reaches Fastify.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Dialect } from './dialect/dialect.ts';
import { dialectOf, type Endpoint } from './endpoint.ts';
import { createEndpointRoute, refusePathParameter } from './endpoint-route.ts';
import { endpoints } from './endpoints.ts';
import type { Admission } from './frame/admission.ts';
import type { AnswerCache } from './frame/answer-cache.ts';
import { authorize } from './frame/basic-auth.ts';
import { makeReady, type ReadyAnswer } from './frame/ready-answer.ts';
import { type RequestError, refuse } from './frame/request-error.ts';
import type { AnswerForm, Responder } from './frame/responder.ts';
import type { Answer, ApiRequest, Route, RouteContext } from './route.ts';
import { unknownPaths, unservedPaths } from './unserved-paths.ts';

type Frame = {
  responder: Responder;
  /** null = every answer is asked. */
  cache: AnswerCache | null;
  /** null = every question is let in. */
  admission: Admission | null;
};

export function addEndpoints(
  app: FastifyInstance,
  context: RouteContext,
  { responder, cache, admission }: Frame,
): void {
  const routes = new Map(
    endpoints.map((endpoint): [Endpoint, Route] => [endpoint, createEndpointRoute(endpoint, context, admission)]),
  );
  for (const [endpoint, route] of routes) {
    const rival = findRival(endpoint);
    const chosen = rival ? chooseByCase(endpoint, route, { rival, route: routes.get(rival)! }) : route;
    const { method, path, body } = endpoint;
    const form = toAnswerForm(endpoint, context);
    if (cache && method === 'GET') addCachedRoute(endpoint, chosen, { cache, form });
    else addRoute(path, chosen, { method, maxBodyBytes: body?.maxBytes, form });
  }
  for (const { method, path } of unservedPaths) {
    addRoute(
      path,
      async ({ params }) => {
        throw Object.values(params).every(Boolean) ? refuse('notServed', { path }) : refuse('notFound');
      },
      { method },
    );
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
    const { refusesMethods, shapes } = dialectOf(endpoint, context.dialect);
    if (refusesMethods && endpoint.method === 'GET') refuseOtherMethods(endpoint.path, { shapes });
  }

  function addRoute(
    path: string,
    route: Route,
    options: { method?: 'GET' | 'POST'; maxBodyBytes?: number; form?: AnswerForm },
  ): void {
    const { method = 'GET', maxBodyBytes, form } = options;
    const url = toRoutePath(path);
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      const answer = (): Promise<Answer> => {
        const limitMax = authorize(request.headers.authorization, context.settings);
        const asked = toApiRequest(request, limitMax);
        return route(maxBodyBytes === undefined ? asked : { ...asked, body: bodyOf(request) });
      };
      void responder.respond(request, reply, answer, form);
    };
    if (maxBodyBytes === undefined) app.route({ method, url, handler });
    else app.register(async (scope) => addBodyRoute(scope, { method, url, handler, maxBodyBytes, form }));
  }

  function addBodyRoute(
    scope: FastifyInstance,
    { maxBodyBytes: bodyLimit, form, ...route }: RouteOptions & { maxBodyBytes: number; form?: AnswerForm },
  ): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const { statusCode } = error as { statusCode?: number };
      const type = request.headers['content-type'] ?? '';
      const refused = { 413: refuse('bodyTooLarge'), 415: refuse('unsupportedMediaType', { type }) };
      const refusal = refused[statusCode as keyof typeof refused] ?? error;
      void responder.respond(request, reply, () => Promise.reject(refusal), form);
    });
    scope.route(route);
  }

  function addCachedRoute(
    { path, minFresh }: Endpoint,
    route: Route,
    { cache, form }: { cache: AnswerCache; form: AnswerForm },
  ): void {
    const ask = (request: FastifyRequest): Promise<ReadyAnswer> => {
      const { settings } = context;
      const limitMax = authorize(request.headers.authorization, settings);
      const url = request.raw.url!;
      const key = limitMax === settings.limitMax ? url : `${limitMax} ${url}`;
      const found = cache.find(key);
      if (found) return Promise.resolve(found);
      return cache.ask(key, minFresh * 1000, async () => {
        const answer = await route(toApiRequest(request, limitMax));
        return { answer: makeReady(answer, form.shapes), keep: answer.keep };
      });
    };
    app.route({
      method: 'GET',
      url: toRoutePath(path),
      handler(request, reply) {
        // Credentials may be wrong, or allow longer pages.
        const found = request.headers.authorization === undefined ? cache.find(request.raw.url!) : undefined;
        void responder.respondReady(request, reply, found ?? (() => ask(request)), form);
      },
    });
  }

  function refuseOtherMethods(path: string, form: AnswerForm): void {
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
        const refusal = refuse('methodNotAllowed', { method: request.method });
        void responder.respond(request, reply, () => Promise.reject(refusal), form);
      },
      handler: () => undefined,
    });
  }
}

function bodyOf({ body, headers }: FastifyRequest): ApiRequest['body'] {
  return { contentType: headers['content-type'], bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
}

const otherMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

function toRoutePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function toAnswerForm(endpoint: Endpoint, { dialect }: Pick<RouteContext, 'dialect'>): AnswerForm {
  const { shapes } = dialectOf(endpoint, dialect);
  return { shapes, cacheControl: shapes.cachesErrors ? endpoint.errorCacheControl : undefined };
}

/** The endpoint whose path has a parameter where this one has its last fixed word. */
function findRival({ path, method }: Endpoint): Endpoint | undefined {
  const steps = path.split('/');
  if (steps.at(-1)!.startsWith('{')) return undefined;
  return endpoints.find((other) => {
    const otherSteps = other.path.split('/');
    return (
      other.method === method &&
      otherSteps.length === steps.length &&
      otherSteps.at(-1)!.startsWith('{') &&
      otherSteps.every((step, index) => step === steps[index] || index === steps.length - 1)
    );
  });
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
  const { refusal, form } = judgeMalformedPath(splitUrl(request).path.split('/'), dialect);
  const answer = async (): Promise<never> => {
    authorize(request.headers.authorization, settings);
    throw refusal;
  };
  void responder.respond(request, reply, answer, form);
}

function judgeMalformedPath(steps: string[], dialect: Dialect): { refusal: RequestError; form?: AnswerForm } {
  for (const endpoint of endpoints) {
    const expected = endpoint.path.split('/');
    const matches = expected.every((step, index) =>
      step.startsWith('{') ? steps[index] !== '' : steps[index]?.toLowerCase() === step,
    );
    if (!matches || steps.length !== expected.length) continue;
    const malformed = expected.find((step, index) => step.startsWith('{') && !isDecodable(steps[index]!));
    if (!malformed) continue;
    const refusal = refusePathParameter(endpoint, malformed.slice(1, -1), dialect);
    return { refusal, form: toAnswerForm(endpoint, { dialect }) };
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
  return { ...splitUrl(request), params, limitMax };
}

function splitUrl({ raw }: FastifyRequest): { path: string; queryText: string } {
  const url = raw.url ?? '/';
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path: path.endsWith('/') ? path.slice(0, -1) : path, queryText: mark < 0 ? '' : url.slice(mark + 1) };
}
