// What an endpoint is: one value with its path, its parameters, its query and its answer. Route, refusals and their
// order, the operation in the API document, cache header, metric label, generated requests of the tests and the line on
// the page `/api` follow from it.

import type { Range } from '../../../packages/kit/range.ts';
import type { AnswerShapes } from '../../../packages/web-server/answer-shapes.ts';
import type { Answer, ApiRequest } from '../../../packages/web-server/route.ts';
import type { LedgerExamples } from '../../ledger/ledger-examples.ts';
import type { ReadingContext, RouteContext } from '../reading/query/context.ts';
import type { Dialect, JavaReading } from '../reading/query/dialect.ts';
import type { BodyParameter, PathParameter, QueryParameter } from '../reading/query/parameter.ts';
import { type QueryRule, readFilters, readLegacyFilters } from '../reading/query/query-parameters.ts';
import type { Query } from '../reading/query/query-string.ts';
import type { Kind } from '../values/kind.ts';
import type { Linked } from '../values/page-of.ts';

type PathParameters = Readonly<Record<string, PathParameter<unknown>>>;
type QueryParameters = Readonly<Record<string, QueryParameter<unknown>>>;

type PathValues<P> = { [N in keyof P]: P[N] extends PathParameter<infer T> ? T : never };
export type QueryValues<Q> = { [N in keyof Q]: Q[N] extends QueryParameter<infer T> ? T : never };

/** The request: values of path, query and body, and the query as typed, for cases in which its order counts. */
type Asked<P, Q, B> = { path: P; query: Q; given: Query; body: B };

/** Peculiarities of the mirror node at an endpoint. */
export type PeerReading = {
  /** Set if it answers from Java. */
  java?: JavaReading;
  /**
   * What a path means whose last word is typed in another case, if another endpoint has a parameter in its place: this
   * endpoint; or the other, after this one has refused nothing. Default: the other only.
   */
  inOtherCase?: 'same' | 'judged';
  /** How values of the query are distinguished, and what a refusal lists. */
  rule?: QueryRule;
  /** Whether the query is validated before the path. */
  queryFirst?: boolean;
  /** Whether all bad parameters of the path are named at once, or only the first. */
  namesAllInPath?: boolean;
  /** Refusals before path and values are read. Throws RequestError. */
  before?(query: Query): void;
  /** Java's sentence for "not found". */
  absent?: string;
};

/** Of most endpoints that answer one thing. */
export const legacyReading: PeerReading = { rule: readLegacyFilters, queryFirst: true };

export type EndpointOptions<P extends PathParameters, Q extends QueryParameters, T extends object, B> = {
  /** As in the API document: `/api/v1/tokens/{tokenId}`. */
  path: string;
  /** As `getToken`, `listBlocks`. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** By name in `path`, in its order. */
  in?: P;
  query?: Q;
  /** The body of a POST; without it the endpoint answers GET. */
  body?: BodyParameter<B>;
  /** Where the mirror node differs from most of its endpoints. */
  peer?: PeerReading;
  /** Of its answers and errors in every dialect, if they have others than the dialect's. */
  shapes?: AnswerShapes;
  /** Refusals before anything is read. Throws RequestError. */
  admits?(request: ApiRequest, context: RouteContext): void;
  /** Refusals of values that are valid only separately. Throws RequestError. */
  check?(values: QueryValues<Q>, query: Query, context: ReadingContext): void;
  /** Whether it takes more than one query. All of them then see the same block. */
  several?(asked: Asked<PathValues<P>, QueryValues<Q>, B>): boolean;
  /** null = not found. A thrown RequestError is sent as it is. */
  ask(asked: Asked<PathValues<P>, QueryValues<Q>, B>, context: RouteContext): Promise<T | null>;
  /**
   * Query parameters by which the next page begins, the most significant first. The result of `ask` has in `next` where
   * the page ended (the last ones may be missing); null = nothing follows.
   */
  next?: readonly (keyof Q & string)[];
  /**
   * The query parameter for the start of a page, if bounds on `next` cannot express it (`reading/page/position.ts`).
   */
  position?: keyof Q & string;
  /** The range of the first of them in which a page may follow, if it is not the requested one. */
  nextWithin?(values: QueryValues<Q>, context: ReadingContext): Range;
  /** `link` is present if the endpoint has pages. */
  answer: Kind<Linked<T>> | ((context: ReadingContext) => Kind<Linked<T>>);
  /** Sent instead of what `answer` would write: the form of a body that is made already. */
  sent?(found: T): Pick<Answer, 'body' | 'contentEncoding' | 'headers'>;
  /** Sent as text instead of the JSON answer; null = JSON. */
  plainText?(found: T): string | null;
  /** Seconds for which an answer may be cached; null = it says nothing about that. */
  fresh: number | null | ((found: T, context: RouteContext) => number | null);
  /**
   * The consensus time (ns) after which nothing can change the answer, link included; null or absent = any block may.
   * Only to be set if all rows that it is read from are final before that time, and none is added.
   */
  settledBy?(asked: Asked<PathValues<P>, QueryValues<Q>, B>, found: T, context: RouteContext): bigint | null;
  /** false: each request is asked, since not everybody may have the answer that another one got. */
  kept?: boolean;
  /** Default 200. */
  status?(found: T): 200 | 206;
  /** Whether it may be not found though no path parameter implies it. */
  missing?: boolean;
  /** Whether the exact answer may not be at hand (501). */
  mayLack?: boolean;
  /** The mirror node has no such path: the dialect that is as it answers as to any unknown one. */
  own?: boolean;
  /** For the page `/api`. */
  example?: EndpointExample;
};

/** The value of a path parameter; bigint = the id of an entity. */
type PathExample = bigint | string;

export type EndpointExample = {
  text: string;
  /** Something that exists, an id or the text itself; null = nothing does. Only if the path has a parameter. */
  find?(examples: LedgerExamples): PathExample | readonly PathExample[] | null;
  /** Instead of the link while there is nothing. */
  missing?: string;
};

type Found = object & { next?: bigint | readonly bigint[] | null; link?: string | null };

type AnyOptions = EndpointOptions<PathParameters, QueryParameters, Found, unknown>;

/** An endpoint without its own types: as routes, documents and tests see it. */
export type Endpoint = Readonly<
  Omit<AnyOptions, 'answer' | 'body' | 'fresh' | 'peer'> &
    Required<Pick<AnyOptions, 'in' | 'query' | 'next' | 'missing' | 'mayLack' | 'own'>> & {
      method: 'GET' | 'POST';
      peer: PeerReading & { rule: QueryRule };
      body: BodyParameter<unknown> | null;
      answer(context: ReadingContext): Kind<Found>;
      fresh(found: Found, context: RouteContext): number | null;
      /** Seconds for which each of its answers may be cached. */
      minFresh: number;
      /** Set if errors may be cached, too. */
      errorCacheControl: string | undefined;
    }
>;

/** What an endpoint finds: only for the compiler, for those who ask it and show the result themselves. */
export type Finds<T> = { readonly finds?: T };

// biome-ignore lint/complexity/noBannedTypes: no parameters
type None = {};

export function endpoint<
  T extends object,
  P extends PathParameters = None,
  Q extends QueryParameters = None,
  B = undefined,
>(options: EndpointOptions<P, Q, T, B>): Endpoint & Finds<T> {
  const names = [...options.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const given = Object.keys(options.in ?? {});
  if (names.join() !== given.join()) throw new Error(`${options.path} and its parameters differ: ${given.join(', ')}`);
  for (const name of options.next ?? []) {
    if (!options.query?.[name]?.formatKey) throw new Error(`${options.path}: no page can be ordered by ${name}`);
  }
  const { answer, body = null, fresh, peer = {}, ...own } = options as unknown as AnyOptions;
  return {
    in: {},
    query: {},
    next: [],
    missing: names.length > 0 || peer.absent !== undefined,
    mayLack: body !== null,
    own: false,
    ...own,
    peer: { rule: readFilters, ...peer },
    method: body ? 'POST' : 'GET',
    body,
    answer: typeof answer === 'function' ? answer : () => answer,
    fresh: typeof fresh === 'function' ? fresh : () => fresh,
    minFresh: typeof fresh === 'number' ? fresh : 1,
    errorCacheControl: typeof fresh === 'number' ? formatCacheControl(fresh) : undefined,
  };
}

/** Whether the dialect has the endpoint. */
export function isServed({ own }: Pick<Endpoint, 'own'>, dialect: Dialect): boolean {
  return !own || dialect.hasOwnEndpoints;
}

/** The endpoint as the dialect has it: without parameters that only this mirror has, where those do not belong. */
export function toServed(endpoint: Endpoint, dialect: Dialect): Endpoint {
  if (dialect.hasOwnEndpoints) return endpoint;
  const known = Object.entries(endpoint.query).filter(([, { own }]) => own !== true);
  return { ...endpoint, query: Object.fromEntries(known) };
}

export function formatCacheControl(seconds: number): string {
  return `public, max-age=${seconds}`;
}

/** The dialect of an endpoint; differs for those that the mirror node answers from Java. */
export function dialectOf({ peer: { java } }: Pick<Endpoint, 'peer'>, dialect: Dialect): Dialect {
  return (java && dialect.java?.[java]) ?? dialect;
}
