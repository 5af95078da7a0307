// The routes of the API. A request becomes an ApiRequest, and its endpoint's answer or refusal is sent; nothing that a
// route throws reaches Fastify.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Admission } from '../../packages/web-server/admission.ts';
import type { ClientOf } from '../../packages/web-server/client-of.ts';
import { makeReady, type ReadyAnswer } from '../../packages/web-server/ready-answer.ts';
import { refuse } from '../../packages/web-server/request-error.ts';
import { typedTargetOf } from '../../packages/web-server/request-target.ts';
import type { Responder } from '../../packages/web-server/responder.ts';
import type { Answer, ApiRequest } from '../../packages/web-server/route.ts';
import { dialectAskedFor } from '../api/dialect/find-dialect.ts';
import { dialectOf, type Endpoint } from '../api/endpoint/endpoint.ts';
import type { AnswerCache } from '../api/frame/answer-cache.ts';
import { answerKey, splitTarget } from '../api/frame/asked-dialect.ts';
import { authorize } from '../api/frame/basic-auth.ts';
import type { RouteContext } from '../api/reading/query/context.ts';
import { endpoints, unknownPaths } from '../resources/endpoints.ts';
import { createEndpointSides, type Side, type SideOf } from './endpoint-sides.ts';

type Frame = {
  responder: Responder;
  /** null = answers are not cached. */
  cache: AnswerCache | null;
  admission: Admission;
  clientOf: ClientOf;
};

type Site = Pick<Frame, 'responder' | 'admission' | 'clientOf'> & { app: FastifyInstance; context: RouteContext };

/** `context`: with the dialect for requests that name none. */
export function addEndpoints(app: FastifyInstance, context: RouteContext, { cache, ...frame }: Frame): void {
  const { responder } = frame;
  const site = { app, context, ...frame };
  const sidesOf = createEndpointSides(context);
  for (const endpoint of endpoints) {
    const { method, path, body } = endpoint;
    const sideOf = sidesOf(endpoint);
    // What depends on more than the path is not kept.
    if (cache && method === 'GET' && !endpoint.admits) addCachedRoute(site, endpoint, sideOf, cache);
    else addRoute(site, path, sideOf, { method, maxBodyBytes: body?.maxBytes });
  }
  for (const path of unknownPaths) {
    const answer = (): Promise<Answer> => Promise.reject(refuse('notFound'));
    refuseUnread(app, ['GET', ...otherMethods], path, (request, reply) => responder.respond(request, reply, answer));
  }
  for (const endpoint of endpoints) {
    if (endpoint.peer.java && endpoint.method === 'GET') refuseOtherMethods(site, endpoint);
  }
}

function addRoute(
  { app, context, responder, admission, clientOf }: Site,
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
      return admission.run(clientOf(request.raw), () =>
        route(maxBodyBytes === undefined ? asked : { ...asked, body: bodyOf(request) }),
      );
    };
    void responder.respond(request, reply, answer, form);
  };
  if (maxBodyBytes === undefined) {
    app.route({ method, url, handler });
    return;
  }
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const parser = { parseAs: 'buffer', bodyLimit: maxBodyBytes } as const;
    scope.addContentTypeParser('*', parser, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const { statusCode } = error as { statusCode?: number };
      const type = request.headers['content-type'] ?? '';
      const refused = { 413: refuse('bodyTooLarge'), 415: refuse('unsupportedMediaType', { type }) };
      const refusal = refused[statusCode as keyof typeof refused] ?? error;
      void responder.respond(request, reply, () => Promise.reject(refusal), sideOf(request).form);
    });
    scope.route({ method, url, handler });
  });
}

function addCachedRoute(
  { app, context: { settings }, responder, admission, clientOf }: Site,
  { path, minFresh }: Endpoint,
  sideOf: SideOf,
  cache: AnswerCache,
): void {
  const ask = (request: FastifyRequest, { route, form }: Side): Promise<ReadyAnswer> => {
    const limitMax = authorize(request.headers.authorization, settings);
    const typed = answerKey(request.raw);
    const key = limitMax === settings.limitMax ? typed : `${limitMax} ${typed}`;
    const found = cache.find(key) ?? cache.join(key, minFresh * 1000);
    if (found) return Promise.resolve(found);
    const work = async () => {
      const answer = await route(toApiRequest(request, limitMax));
      return { answer: makeReady(answer, form?.shapes), keep: answer.keep };
    };
    // A question that others share has begun: no client waits for the turn of another one.
    return admission.run(clientOf(request.raw), () => cache.ask(key, minFresh * 1000, work));
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

/** Only in dialects that do so; in the others there is no such route. */
function refuseOtherMethods({ app, context, responder }: Site, endpoint: Endpoint): void {
  const { path } = endpoint;
  const isPosted =
    endpoints.some((other) => other.path === path && other.method === 'POST') ||
    app.hasRoute({ method: 'POST', url: toRoutePath(path) });
  const methods = otherMethods.filter((other) => other !== 'POST' || !isPosted);
  refuseUnread(app, methods, path, (request, reply) => {
    const { refusesMethods, shapes } = dialectOf(endpoint, dialectAskedFor(request.raw, context.dialect));
    const answer = async (): Promise<Answer> => {
      if (refusesMethods) throw refuse('methodNotAllowed', { method: request.method });
      authorize(request.headers.authorization, context.settings);
      throw refuse('notFound');
    };
    return responder.respond(request, reply, answer, refusesMethods ? { shapes } : undefined);
  });
}

/** Answers before any body is read. */
function refuseUnread(
  app: FastifyInstance,
  method: RouteOptions['method'],
  path: string,
  respond: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  app.route({
    method,
    url: toRoutePath(path),
    onRequest: (request, reply) => void respond(request, reply),
    handler: () => undefined,
  });
}

const otherMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

function toRoutePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function bodyOf({ body, headers }: FastifyRequest): ApiRequest['body'] {
  return { contentType: headers['content-type'], bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
}

function toApiRequest(request: FastifyRequest, limitMax: number): ApiRequest {
  const params = request.params as Record<string, string | undefined>;
  const acceptEncoding = request.headers['accept-encoding'] as string | undefined;
  return { ...splitTarget(typedTargetOf(request.raw)), params, limitMax, acceptEncoding };
}
