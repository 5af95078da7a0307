// What an endpoint is: one value that says its path, what it takes, how it is asked and what it answers. Route, refusals and
// their order, the operation in the API document, cache header, metric label, made-up requests of the tests and the line on
// the landing page follow from it.
import type { Range } from '../../kit/range.ts';
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

/** What was asked for: values of path, query and body, and the query as it was given, for where its order counts. */
type Asked<P, Q, B> = { path: P; query: Q; given: Query; body: B };

/** What the mirror node does in its own way at an endpoint. */
export type PeerReading = {
  /** Where it answers from Java. */
  java?: JavaReading;
  /**
   * What a path means whose last word is typed in another case, where another endpoint has a parameter in its place: this
   * endpoint all the same; or the other, once this one has refused nothing. The other alone unless said otherwise.
   */
  inOtherCase?: 'same' | 'judged';
  /** How values of the query are told from each other, and what a refusal lists. */
  rule?: QueryRule;
  /** Whether the query is judged before the path. */
  queryFirst?: boolean;
  /** Whether all bad parameters of the path are named at once, or only the first. */
  namesAllInPath?: boolean;
  /** What is refused before path and values are read. Throws RequestError. */
  before?(query: Query): void;
  /** What is not found, as Java says it. */
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
  /** By their names in `path`, in its order. */
  in?: P;
  query?: Q;
  /** What is sent, with POST; without it the endpoint answers GET. */
  body?: BodyParameter<B>;
  /** Where the mirror node reads or refuses otherwise than at most of its endpoints. */
  peer?: PeerReading;
  /** What is refused though every value is good by itself. Throws RequestError. */
  check?(values: QueryValues<Q>, query: Query, context: ReadingContext): void;
  /** Whether that takes more than one query. All of them then see the same block. */
  several?(asked: Asked<PathValues<P>, QueryValues<Q>, B>): boolean;
  /** null = not found. What it throws as RequestError goes out as it says. */
  ask(asked: Asked<PathValues<P>, QueryValues<Q>, B>, context: RouteContext): Promise<T | null>;
  /**
   * Query parameters by which the next page begins, the one that counts most first. What `ask` finds says in `next` where
   * the page ended, where the last ones may be missing; null = nothing follows.
   */
  next?: readonly (keyof Q & string)[];
  /** The query parameter that says where a page begins where bounds on `next` cannot (`reading/page/position.ts`). */
  position?: keyof Q & string;
  /** What the first of them has to lie in for a page to follow, where that is not what was asked for. */
  nextWithin?(values: QueryValues<Q>, context: ReadingContext): Range;
  /** `link` is there where the endpoint has pages. */
  answer: Kind<Linked<T>> | ((context: ReadingContext) => Kind<Linked<T>>);
  /** What is sent as text in place of the answer in JSON; null = JSON. */
  plainText?(found: T): string | null;
  /** Seconds for which an answer may be kept. */
  fresh: number | ((found: T, context: RouteContext) => number);
  /**
   * The consensus time (ns) after which nothing can change the answer any more, link and all; null or nothing said = any
   * block may. To be said only where every row that it is read from is never changed nor added to before that time.
   */
  settledBy?(asked: Asked<PathValues<P>, QueryValues<Q>, B>, found: T, context: RouteContext): bigint | null;
  /** 200 unless said otherwise. */
  status?(found: T): 200 | 206;
  /** Whether something asked for may be missing, where no path says so. */
  missing?: boolean;
  /** For the landing page. */
  example?: EndpointExample;
};

/** What stands in one place of a path; bigint = the id of an entity. */
type PathExample = bigint | string;

export type EndpointExample = {
  text: string;
  /** Something that is there, an id or the text itself; null = nothing is. Only where the path has a parameter. */
  find?(examples: LedgerExamples): PathExample | readonly PathExample[] | null;
  /** In place of the link while there is nothing. */
  missing?: string;
};

type Found = object & { next?: bigint | readonly bigint[] | null; link?: string | null };

type AnyOptions = EndpointOptions<PathParameters, QueryParameters, Found, unknown>;

/** An endpoint whose own types are forgotten: as routes, documents and tests see it. */
export type Endpoint = Readonly<
  Omit<AnyOptions, 'answer' | 'body' | 'fresh' | 'peer'> &
    Required<Pick<AnyOptions, 'in' | 'query' | 'next' | 'missing'>> & {
      method: 'GET' | 'POST';
      peer: PeerReading & { rule: QueryRule };
      body: BodyParameter<unknown> | null;
      answer(context: ReadingContext): Kind<Found>;
      fresh(found: Found, context: RouteContext): number;
      /** Seconds for which each of its answers may be kept. */
      minFresh: number;
      /** Where errors may be kept, too. */
      errorCacheControl: string | undefined;
    }
>;

// biome-ignore lint/complexity/noBannedTypes: no parameters
type None = {};

export function endpoint<
  T extends object,
  P extends PathParameters = None,
  Q extends QueryParameters = None,
  B = undefined,
>(options: EndpointOptions<P, Q, T, B>): Endpoint {
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

export function formatCacheControl(seconds: number): string {
  return `public, max-age=${seconds}`;
}

/** The dialect in which an endpoint is read and answered, next to those that Java does not answer. */
export function dialectOf({ peer: { java } }: Pick<Endpoint, 'peer'>, dialect: Dialect): Dialect {
  return (java && dialect.java?.[java]) ?? dialect;
}
