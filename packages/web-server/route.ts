// The input and output of every API route.

export type ApiRequest = {
  /** As typed, without the query and one trailing slash. */
  path: string;
  /** The path's own parameters by name, decoded. */
  params: Readonly<Record<string, string | undefined>>;
  /** What follows the `?`. */
  queryText: string;
  /** Largest page size for this client. */
  limitMax: number;
  acceptEncoding?: string | undefined;
  /** The body, if the route accepts one. */
  body?: { contentType: string | undefined; bytes: Buffer };
};

export type Answer = {
  status: number;
  body: string;
  /** Default: JSON. */
  contentType?: string;
  /** Set if the body is encoded already, one byte a character. */
  contentEncoding?: string;
  /** Further headers: names and values in turn. */
  headers?: readonly string[];
  cacheControl?: string;
  contentSecurityPolicy?: string;
  /** The request header that the answer depends on, beside Accept-Encoding. */
  vary?: string;
  /** Target of a redirection. */
  location?: string;
  /** Of a refusal: when to retry. */
  retryAfterSeconds?: number | undefined;
  /** Of a failure: its id in the log. */
  requestId?: string | undefined;
  /** The next page, for the Link header. */
  next?: string | null;
  /** How long it is valid; without it the answer is not cached. */
  keep?: AnswerKeeping;
};

export type AnswerKeeping = {
  /** Seconds. */
  maxAge: number;
  /** Everything in it is of this consensus time (ns) or before; null = it may change with any block. */
  settledBy: bigint | null;
};

export type Route = (request: ApiRequest) => Promise<Answer>;
