// A path with invalid percent-encoding never reaches its route: it is refused as the route would refuse it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dialectAskedFor } from './dialect/find-dialect.ts';
import { isServed } from './endpoint/endpoint.ts';
import { refusePathParameter } from './endpoint/endpoint-question.ts';
import { toAnswerForm } from './endpoint-sides.ts';
import { splitTarget } from './frame/asked-dialect.ts';
import { authorize } from './frame/basic-auth.ts';
import { type RequestError, refuse } from './frame/request-error.ts';
import type { AnswerForm, Responder } from './frame/responder.ts';
import type { ReadingContext } from './reading/query/context.ts';
import type { Dialect } from './reading/query/dialect.ts';
import { endpoints } from './resources/endpoints.ts';

export function refuseMalformedPath(
  request: FastifyRequest,
  reply: FastifyReply,
  { responder, dialect, settings }: { responder: Responder } & ReadingContext,
): void {
  const { path } = splitTarget(request.raw.url ?? '/');
  const { refusal, form } = judgeMalformedPath(path, dialectAskedFor(request.raw, dialect));
  const answer = async (): Promise<never> => {
    authorize(request.headers.authorization, settings);
    throw refusal;
  };
  void responder.respond(request, reply, answer, form);
}

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`, 'i'),
}));

function judgeMalformedPath(path: string, dialect: Dialect): { refusal: RequestError; form?: AnswerForm } {
  for (const { endpoint, pattern } of patterns) {
    const [, ...texts] = pattern.exec(path) ?? [];
    const malformed = Object.keys(endpoint.in)[texts.findIndex((text) => !isDecodable(text))];
    if (malformed === undefined || !isServed(endpoint, dialect)) continue;
    return { refusal: refusePathParameter(endpoint, malformed, dialect), form: toAnswerForm(endpoint, dialect) };
  }
  return { refusal: refuse('notFound') };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
