// An endpoint in each requested dialect.
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../packages/web-server/request-error.ts';
import type { AnswerForm } from '../../packages/web-server/responder.ts';
import type { Route } from '../../packages/web-server/route.ts';
import { findDialect } from '../api/dialect/find-dialect.ts';
import { dialectOf, type Endpoint, isServed } from '../api/endpoint/endpoint.ts';
import { createEndpointRoute } from '../api/endpoint/endpoint-route.ts';
import type { RouteContext } from '../api/reading/query/context.ts';
import type { Dialect } from '../api/reading/query/dialect.ts';
import { endpoints } from '../resources/endpoints.ts';

/** An endpoint in one dialect. */
export type Side = { route: Route; form?: AnswerForm };
/** By the dialect of a request. */
export type SideOf = (request: FastifyRequest) => Side;

/** `context`: with the dialect for requests that name none. */
export function createEndpointSides(context: RouteContext) {
  const routesOf = createRoutes(context);
  return (endpoint: Endpoint): SideOf => {
    const makeSide = (dialect: Dialect): Side =>
      isServed(endpoint, dialect)
        ? { route: routesOf(dialect, endpoint), form: toAnswerForm(endpoint, dialect) }
        : { route: refuseUnknown };
    const own = makeSide(context.dialect);
    // Made on first use: writers and readers of every endpoint take memory, and most mirrors are asked in one dialect.
    const others = new Map<Dialect, Side>([[context.dialect, own]]);
    return ({ raw: { askedDialect } }) => {
      if (askedDialect === undefined) return own;
      const dialect = findDialect(askedDialect);
      const side = others.get(dialect) ?? makeSide(dialect);
      others.set(dialect, side);
      return side;
    };
  };
}

const refuseUnknown: Route = () => Promise.reject(refuse('notFound'));

/** Each route once in each requested dialect. */
function createRoutes(context: RouteContext) {
  const made = new Map<Dialect, Map<Endpoint, Route>>();
  return (dialect: Dialect, endpoint: Endpoint): Route => {
    const routes = made.get(dialect) ?? new Map<Endpoint, Route>();
    made.set(dialect, routes);
    const toRoute = (one: Endpoint): Route => {
      const route = routes.get(one) ?? createEndpointRoute(one, { ...context, dialect });
      routes.set(one, route);
      return route;
    };
    const rival = findRival(endpoint);
    const route = toRoute(endpoint);
    return rival ? chooseByCase(endpoint, route, { rival, route: toRoute(rival) }) : route;
  };
}

export function toAnswerForm(endpoint: Endpoint, dialect: Dialect): AnswerForm {
  const { tellsExtent, ...ofDialect } = dialectOf(endpoint, dialect);
  const { shapes = ofDialect.shapes } = endpoint;
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

/** Paths match in any case, but `contracts/RESULTS` is an (invalid) id. */
function chooseByCase(
  { path, peer: { inOtherCase } }: Endpoint,
  route: Route,
  other: { rival: Endpoint; route: Route },
): Route {
  if (inOtherCase === 'same') return route;
  const word = path.slice(path.lastIndexOf('/') + 1);
  const name = other.rival.path.slice(other.rival.path.lastIndexOf('/') + 2, -1);
  return async (request) => {
    const text = decodeURIComponent(request.path.slice(request.path.lastIndexOf('/') + 1));
    if (text === word) return route(request);
    // Its refusals count, its answers do not.
    if (inOtherCase === 'judged') await route(request);
    return other.route({ ...request, params: { ...request.params, [name]: text } });
  };
}
