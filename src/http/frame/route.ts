// What every route of the API gets and gives.

export type ApiRequest = {
  /** As typed, without the query and one trailing slash. */
  path: string;
  /** The path's own parameters by name, decoded. */
  params: Readonly<Record<string, string | undefined>>;
  /** What follows the `?`. */
  queryText: string;
  /** Largest page size for whoever asks. */
  limitMax: number;
  /** What was sent, where the route takes it. */
  body?: { contentType: string | undefined; bytes: Buffer };
};

export type Answer = {
  status: number;
  body: string;
  /** JSON unless said otherwise. */
  contentType?: string;
  cacheControl?: string;
  contentSecurityPolicy?: string;
  /** The header of the request that the answer depends on, beside the encodings that it takes. */
  vary?: string;
  /** Where a redirection leads. */
  location?: string;
  /** Of a refusal: when to ask again. */
  retryAfterSeconds?: number | undefined;
  /** Of a failure: what the log names it by. */
  requestId?: string | undefined;
  /** The next page, for the Link header. */
  next?: string | null;
  /** How long it holds; only what says so is kept. */
  keep?: AnswerKeeping;
};

export type AnswerKeeping = {
  /** Seconds. */
  maxAge: number;
  /** All that it shows is of this consensus time (ns) or before; null = it may change with any block. */
  settledBy: bigint | null;
};

export type Route = (request: ApiRequest) => Promise<Answer>;
