// What clients get of a failure: the status and a text of it, as the Hiero mirror node's. SDKs try again after some of them.
import { type StatusObject, status } from '@grpc/grpc-js';
import type { Outcome } from '../../kit/shares/client-outcomes.ts';
import { QueryError } from '../../store/wire/database.ts';
import { queueIsFull } from '../../store/wire/waiting-line.ts';

export class GrpcError extends Error {
  readonly code: status;

  constructor(code: status, text: string) {
    super(text);
    this.name = 'GrpcError';
    this.code = code;
  }
}

export const grpcError = {
  invalid: (text: string) => new GrpcError(status.INVALID_ARGUMENT, text),
  notFound: (text: string) => new GrpcError(status.NOT_FOUND, text),
  unfinished: () => new GrpcError(status.DEADLINE_EXCEEDED, 'The request did not come'),
  lagging: () => new GrpcError(status.DEADLINE_EXCEEDED, 'Client lags too much behind. Please retry later'),
  ending: () => new GrpcError(status.UNAVAILABLE, 'The server is ending'),
  busy: () => new GrpcError(status.RESOURCE_EXHAUSTED, failedQuery),
};

/** How a call that ended with this error counts for the status page: what was thrown on purpose is no fault of the service. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof GrpcError) return error.code === status.RESOURCE_EXHAUSTED ? 'refused' : 'answered';
  return error instanceof QueryError && error.code === queueIsFull ? 'refused' : 'failed';
}

const failedQuery = 'Error querying the data source. Please retry later';
/** PostgreSQL ended it, as it took too long. */
const queryCanceled = '57014';

export function toStatus(error: unknown): Pick<StatusObject, 'code' | 'details'> {
  if (error instanceof GrpcError) return { code: error.code, details: error.message };
  if (!(error instanceof QueryError)) return { code: status.UNKNOWN, details: 'Unknown error' };
  const isBusy = error.code === queueIsFull || error.code === queryCanceled;
  return { code: isBusy ? status.RESOURCE_EXHAUSTED : status.UNAVAILABLE, details: failedQuery };
}
