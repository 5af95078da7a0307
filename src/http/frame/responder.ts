// Turns what a route returns or throws into an answer, in one place: refusals as they say, a failed query as 503,
// everything else as 500 with the reason in the log alone.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { QueryError } from '../../store/wire/database.ts';
import type { Answer } from '../route.ts';
import { formatErrorBody, RequestError, refuse } from './request-error.ts';
import { writeAnswer } from './write-answer.ts';

export type Responder = {
  /** Never rejects. */
  respond(request: FastifyRequest, reply: FastifyReply, ask: () => Promise<Answer>): Promise<void>;
};

export function createResponder(log: FastifyBaseLogger): Responder {
  return {
    async respond(request, reply, ask) {
      try {
        await writeAnswer(request, reply, await ask());
      } catch (error) {
        await writeAnswer(request, reply, toErrorAnswer(error, request));
      }
    },
  };

  function toErrorAnswer(error: unknown, { method, raw }: FastifyRequest): Answer {
    const { status, messages } = toRequestError(error);
    if (status >= 500) log.error({ err: error, status, method, url: raw.url }, 'Request failed');
    return { status, body: formatErrorBody(messages) };
  }
}

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return refuse(error instanceof QueryError ? 'unavailable' : 'internal');
}
