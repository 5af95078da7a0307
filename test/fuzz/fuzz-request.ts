// A request of the fuzz in parts, which can be left out one by one.
export type FuzzRequest = {
  method: string;
  /** As it goes over the wire, percent-encoding and mistakes included. */
  path: string;
  /** Each is the text between two `&`. */
  query: string[];
  headers: [name: string, value: string][];
  /** One character for each byte. */
  body: string;
};

export function toUrl({ path, query }: FuzzRequest): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** To be sent again by hand. */
export function describeRequest(request: FuzzRequest): string {
  const headers = request.headers.map(([name, value]) => `${name}: ${value}`);
  const body = request.body === '' ? [] : [`body ${JSON.stringify(request.body)}`];
  return [`${request.method} ${JSON.stringify(toUrl(request))}`, ...headers, ...body].join('\n    ');
}
