// What clients get of a failure: the status and a text of it, as the Hiero mirror node's. SDKs try again after some of
// them.
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { type Cause, causeOf, isOverload } from '../../../packages/kit/shares/cause.ts';
import type { Outcome } from '../../../packages/kit/shares/client-outcomes.ts';
import type { PlacesFull } from '../../../packages/kit/shares/client-places.ts';

export class GrpcError extends Error {
  readonly code: status;
  /** When a try may succeed, if that is known. */
  readonly retryAfterMs: number | null;

  constructor(code: status, text: string, retryAfterMs: number | null = null) {
    super(text);
    this.name = 'GrpcError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

export const grpcError = {
  invalid: (text: string) => new GrpcError(status.INVALID_ARGUMENT, text),
  notFound: (text: string) => new GrpcError(status.NOT_FOUND, text),
  unfinished: () => new GrpcError(status.DEADLINE_EXCEEDED, 'The request did not come'),
  lagging: () => new GrpcError(status.DEADLINE_EXCEEDED, 'Client lags too much behind. Please retry later'),
  ending: () => new GrpcError(status.UNAVAILABLE, 'The server is ending'),
  busy: () => new GrpcError(status.RESOURCE_EXHAUSTED, failedQuery),
  full: ({ by }: Pick<PlacesFull, 'by'>, retryAfterMs: number) =>
    by === 'client'
      ? new GrpcError(
          status.RESOURCE_EXHAUSTED,
          'Your network has its share of streams. Please retry later',
          retryAfterMs,
        )
      : new GrpcError(status.UNAVAILABLE, 'Too many streams are open. Please retry later', retryAfterMs),
  withdrawn: (retryAfterMs: number) =>
    new GrpcError(
      status.RESOURCE_EXHAUSTED,
      'Others need this stream, and your network has most. Please retry later',
      retryAfterMs,
    ),
};

/**
 * How a call that ended with this error counts for the status page: what was thrown on purpose is no fault of the
 * service.
 */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof GrpcError) {
    const isRefused = error.code === status.RESOURCE_EXHAUSTED || error.retryAfterMs !== null;
    return isRefused ? 'refused' : 'answered';
  }
  return isOverload(error) ? 'refused' : 'failed';
}

const failedQuery = 'Error querying the data source. Please retry later';

const codes: Record<Cause, status> = {
  overShare: status.RESOURCE_EXHAUSTED,
  overloaded: status.RESOURCE_EXHAUSTED,
  timeout: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
};

type ErrorStatus = Pick<StatusObject, 'code' | 'details'> & { metadata?: Metadata };

export function toStatus(error: unknown): ErrorStatus {
  if (error instanceof GrpcError) {
    const { code, message: details, retryAfterMs } = error;
    return { code, details, ...(retryAfterMs !== null && { metadata: pushBack(retryAfterMs) }) };
  }
  const cause = causeOf(error);
  if (cause === null) return { code: status.UNKNOWN, details: 'Unknown error' };
  return { code: codes[cause], details: failedQuery };
}

/** The trailer by which a server says when clients may try again (gRPC proposal A6). */
function pushBack(ms: number): Metadata {
  const metadata = new Metadata();
  metadata.set('grpc-retry-pushback-ms', String(ms));
  return metadata;
}
