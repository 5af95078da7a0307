// The question of an endpoint: reads the parameters of a request, asks the ledger, and says where the next page begins.
// Routes write what it finds as JSON, pages for people as HTML.

import type { Range } from '../../../packages/kit/range.ts';
import { RequestError, refuse } from '../../../packages/web-server/request-error.ts';
import type { ApiRequest } from '../../../packages/web-server/route.ts';
import { dropReplaced, formatLink } from '../reading/page/next-link.ts';
import { canMoveBounds, moveTo, withoutPosition } from '../reading/page/position.ts';
import type { ReadingContext, RouteContext } from '../reading/query/context.ts';
import type { Dialect } from '../reading/query/dialect.ts';
import { toDocumentedForm } from '../reading/query/documented-form.ts';
import type { BodyParameter } from '../reading/query/parameter.ts';
import type { RawValue, ValueReader } from '../reading/query/query-parameters.ts';
import type { Query } from '../reading/query/query-string.ts';
import { dialectOf, type Endpoint } from './endpoint.ts';

type Asked = Parameters<Endpoint['ask']>[0];
type Found = NonNullable<Awaited<ReturnType<Endpoint['ask']>>>;

/** What was asked and found, and the query as it was typed. */
type EndpointReply = { request: ApiRequest; typed: Query; asked: Asked; found: Found };

export type EndpointQuestion = {
  /** Throws RequestError, also if nothing was found. `own`: default is the context that the question was made with. */
  ask(request: ApiRequest, own?: RouteContext): Promise<EndpointReply>;
  /** Path and query of the next page; null = nothing follows. */
  linkToNext(reply: EndpointReply): string | null;
};

/** `context`: with the dialect of this endpoint. */
export function createEndpointQuestion(endpoint: Endpoint, context: RouteContext): EndpointQuestion {
  const { settings, dialect } = context;
  const readQuery = createQueryReader(endpoint, context);
  const names = Object.keys(endpoint.in);
  const lookups = Object.entries(endpoint.in).filter(([, parameter]) => parameter.looksUp);

  return {
    ask(request, own = context) {
      // `schedules//`: no endpoint has an empty parameter.
      if (names.some((name) => !request.params[name])) return Promise.reject(refuse('notFound'));
      const looksUp = lookups.some(([name, parameter]) => parameter.looksUp!(request.params[name]!, own));
      return looksUp ? own.ledger.snapshot((ledger) => ask(request, { ...own, ledger })) : ask(request, own);
    },
    linkToNext: ({ request, typed, asked, found }) =>
      linkToNext(endpoint, { request, typed, values: asked.query, found }, context),
  };

  /** Throws RequestError. */
  async function ask(request: ApiRequest, own: RouteContext): Promise<EndpointReply> {
    endpoint.admits?.(request, own);
    if (endpoint.body) refuseOtherMediaTypes(endpoint.body, request);
    const parse = () => dialect.query.parse(request.queryText, settings.maxRepeatedParameters);
    endpoint.peer.before?.(parse());
    let path: Record<string, unknown> = {};
    // One more promise costs a small answer half a per cent: without path parameters there is none.
    if (names.length > 0 && !endpoint.peer.queryFirst) path = await readPath(endpoint, request, own);
    let typed: Query;
    let query: Query;
    let values: Record<string, unknown>;
    try {
      typed = parse();
      query = dialect.query.toMeant(typed, endpoint.query);
      values = readQuery(query, request.limitMax);
    } catch (error) {
      await refuseMissing(endpoint, request, own);
      throw error;
    }
    if (names.length > 0 && endpoint.peer.queryFirst) path = await readPath(endpoint, request, own);
    const body = endpoint.body ? readBody(endpoint.body, request, own) : undefined;
    const asked = { path, query: values, given: query, body };
    const found = await (endpoint.several?.(asked)
      ? own.ledger.snapshot((ledger) => endpoint.ask(asked, { ...own, ledger }))
      : endpoint.ask(asked, own));
    if (found === null) throw refuse('notFound', { sentence: endpoint.peer.absent });
    return { request, asked, typed, found };
  }
}

/** Throws RequestError. */
function refuseOtherMediaTypes({ mediaTypes }: BodyParameter<unknown>, { body }: ApiRequest): void {
  const type = body?.contentType ?? 'application/octet-stream';
  const [name] = type.split(';');
  if (!mediaTypes.includes(name!.trim().toLowerCase())) throw refuse('unsupportedMediaType', { type });
}

/** Throws RequestError. */
function readBody(parameter: BodyParameter<unknown>, { body }: ApiRequest, context: ReadingContext): unknown {
  if (!body || body.bytes.length === 0) throw refuse('missingBody');
  return parameter.read(body.bytes, context);
}

/** One parameter after the other. Throws RequestError. */
async function readPath(endpoint: Endpoint, { params }: ApiRequest, context: RouteContext) {
  const values: Record<string, unknown> = {};
  const refusals: RequestError[] = [];
  for (const [name, parameter] of Object.entries(endpoint.in)) {
    const read = parameter.read(params[name]!, context);
    const value = read instanceof Promise ? await read : read;
    values[name] = value;
    if (value !== undefined) continue;
    const refusal = refusePathParameter(endpoint, name, context.dialect);
    if (!endpoint.peer.namesAllInPath) throw refusal;
    refusals.push(refusal);
  }
  if (refusals.length > 0) throw new RequestError(refusals.flatMap(({ found }) => found));
  return values;
}

/** Throws RequestError if what the path names is missing. */
async function refuseMissing(
  { in: parameters }: Endpoint,
  { params }: ApiRequest,
  context: RouteContext,
): Promise<void> {
  for (const [name, parameter] of Object.entries(parameters)) {
    if (await parameter.isMissing?.(params[name]!, context)) throw refuse('notFound');
  }
}

/** `dialect`: that of all endpoints. */
export function refusePathParameter(endpoint: Endpoint, name: string, dialect: Dialect): RequestError {
  const { namesPathVariables } = dialectOf(endpoint, dialect);
  return namesPathVariables ? refuse('invalidParameter', { name }) : endpoint.in[name]!.refuse();
}

function createQueryReader(endpoint: Endpoint, context: RouteContext) {
  const { maxRepeatedParameters, limitMax: usualLimitMax } = context.settings;
  const rule = context.dialect.query.rule?.(endpoint.query) ?? endpoint.peer.rule;
  const readings = Object.entries(endpoint.query).map(([name, parameter]) => {
    const { read, collect } = parameter.open(context);
    const isAnyRead = !context.dialect.documentedOnly || parameter.refusesItself;
    const isDocumented = isAnyRead ? () => true : toDocumentedForm(parameter.schema(context));
    return {
      name,
      collect,
      read: (value: RawValue, limitMax: number) => (isDocumented(value.raw) ? read(value, limitMax) : undefined),
    };
  });

  const toReaders = (limitMax: number): Record<string, ValueReader> =>
    Object.fromEntries(readings.map(({ name, read }) => [name, (value) => read(value, limitMax)]));
  const usualReaders = toReaders(usualLimitMax);

  /** Throws RequestError. */
  return (query: Query, limitMax: number): Record<string, unknown> => {
    const readers = limitMax === usualLimitMax ? usualReaders : toReaders(limitMax);
    const read = rule(query, readers, maxRepeatedParameters);
    const values: Record<string, unknown> = {};
    for (const { name, collect } of readings) {
      values[name] = collect(
        read[name]!,
        query.find((given) => given.name === name),
      );
    }
    endpoint.check?.(values, query, context);
    return values;
  };
}

type Ended = {
  request: ApiRequest;
  typed: Query;
  values: Record<string, unknown>;
  found: { next?: bigint | readonly bigint[] | null };
};

function linkToNext(endpoint: Endpoint, ended: Ended, context: RouteContext): string | null {
  const { dialect } = context;
  const { request, values, found } = ended;
  let { typed } = ended;
  const { next } = found;
  if (next === null || next === undefined) return null;
  const last = typeof next === 'bigint' ? [next] : next;
  const keys = endpoint.next.map((name, index) => ({
    name,
    range: (index === 0 && endpoint.nextWithin?.(values, context)) || (values[name] as Range),
    last: last[index] ?? 0n,
    format: endpoint.query[name]!.formatKey!,
  }));
  const order = values.order as 'asc' | 'desc';
  if (endpoint.position !== undefined) {
    if (!canMoveBounds(keys, order)) return formatLink(request.path, moveTo(typed, endpoint.position, keys));
    typed = withoutPosition(typed, endpoint.position);
  }
  // If the last row lacks a key, no bound of the page before may stay on it.
  const query = endpoint.next
    .slice(last.length)
    .reduce((kept, name) => dropReplaced(kept, name, order === 'asc' ? 'gt' : 'lt'), typed);
  const question = { path: request.path, query, order, repeatsEqual: dialect.linksRepeatEqual };
  return dialect.formatNextLink(keys.slice(0, last.length), question);
}
