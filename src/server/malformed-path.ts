// A path with invalid percent-encoding never reaches its route: it is refused as the route would refuse it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestError, refuse } from '../../packages/web-server/request-error.ts';
import type { AnswerForm, Responder } from '../../packages/web-server/responder.ts';
import { dialectAskedFor } from '../api/dialect/find-dialect.ts';
import { isServed } from '../api/endpoint/endpoint.ts';
import { refusePathParameter } from '../api/endpoint/endpoint-question.ts';
import { splitTarget } from '../api/frame/asked-dialect.ts';
import { authorize } from '../api/frame/basic-auth.ts';
import type { ReadingContext } from '../api/reading/query/context.ts';
import type { Dialect } from '../api/reading/query/dialect.ts';
import { endpoints } from '../resources/endpoints.ts';
import { toAnswerForm } from './endpoint-sides.ts';

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
