// Errors of the verification routes: one body that clients of Sourcify's v1 (`error`, `message`, `errors`) and of its
// v2 (`customCode`, `message`, `errorId`) both understand.
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { causeOf, isOverload } from '../../kit/shares/cause.ts';
import { VerificationError, type VerificationErrorCode } from '../terms/verification-error.ts';

/** One invalid member of a body. */
export class MalformedBody extends VerificationError {
  readonly mistake: BodyMistake;

  constructor(mistake: BodyMistake) {
    super(
      'invalid_parameter',
      `request${mistake.path.replace(/\/[^/]*$/, (last) => (mistake.code === 'required' ? '' : last))} ${mistake.message}`,
    );
    this.mistake = mistake;
  }
}

export type BodyMistake = { path: string; message: string; code: 'required' | 'type' };

/** Anything that is not a VerificationError or a refusal of Fastify's is our fault, and only logged. */
export function sendVerificationError(
  reply: FastifyReply,
  error: unknown,
  /** Where an API has another status than the code. */
  statuses: Partial<Record<VerificationErrorCode, number>> = {},
): void {
  const known = toVerificationError(error);
  const errorId = randomUUID();
  if (known.status >= 500) logFault(reply.log, known, error, errorId);
  if (known.retryAfterSeconds !== undefined) reply.header('Retry-After', String(Math.ceil(known.retryAfterSeconds)));
  const { message, code: customCode, details: errorData } = known;
  const errors = known instanceof MalformedBody ? [toOpenApiError(known.mistake)] : undefined;
  // Undefined members are left out.
  const body = { error: message, message, customCode, errorId, errors, errorData };
  reply
    .code(statuses[known.code] ?? known.status)
    .header('Access-Control-Allow-Origin', '*')
    .header('Content-Type', 'application/json; charset=utf-8')
    .header('X-Content-Type-Options', 'nosniff')
    .send(JSON.stringify(body));
}

/** `known`: what is sent to the client of the error. */
export function logFault(log: FastifyBaseLogger, known: VerificationError, error: unknown, errorId?: string): void {
  const err = known === error ? known.message : error;
  log.error({ err, errorId, code: known.code }, 'a contract check could not be made');
}

function toOpenApiError({ path, message, code }: BodyMistake) {
  return { path, message, errorCode: `${code}.openapi.validation` };
}

/** Anything that is neither a VerificationError nor a refusal of Fastify's becomes an internal one. */
export function toVerificationError(error: unknown): VerificationError {
  if (error instanceof VerificationError) return error;
  if (isOverload(error)) {
    return new VerificationError('too_many_jobs', 'More requests than can be answered. Try again in a second.', {
      retryAfterSeconds: 1,
    });
  }
  if (causeOf(error) !== null) {
    return new VerificationError('store_not_available', 'The database does not answer. Try again later.', {
      retryAfterSeconds: 5,
    });
  }
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string };
  if (statusCode === 413) return new VerificationError('body_too_large', `request entity too large: ${message}`);
  if (statusCode === 415) return new VerificationError('unsupported_media_type', 'unsupported media type');
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return new VerificationError('invalid_parameter', String(message));
  }
  return new VerificationError('internal_error', 'Internal error');
}
