// The id of a failed request in the log and in its answer, so that a user's report leads to the log line.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The client's own `X-Request-Id`, or that of a proxy; else a new one. */
export function toRequestId(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID();
}
