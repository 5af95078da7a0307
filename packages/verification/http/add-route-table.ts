// The routes of an API of contract checks, from a table.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Describe } from '../../web-server/operation.ts';
import type { Answer } from '../../web-server/route.ts';
import { writeAnswer } from '../../web-server/write-answer.ts';
import type { BodyAllowance } from './body-allowance.ts';
import { sourcesBody } from './body-limits.ts';
import { askInTurn } from './request-parts.ts';

export type TableRoute<Options, Request extends FastifyRequest, Answered> = {
  method: 'GET' | 'POST';
  url: string;
  bodyLimit?: number;
  run(options: Options, request: Request): Promise<Answered>;
  describe?: Describe;
};

/** What is sent as JSON. */
export type JsonAnswer = { status?: number; body: unknown };

type TableOptions<Options> = { options: Options; takeAllowance: BodyAllowance };

/** `scope`: with parsers of bodies, and a handler of errors. */
export function addRouteTable<Options, Request extends FastifyRequest>(
  scope: FastifyInstance,
  routes: readonly TableRoute<Options, Request, JsonAnswer | { answer: Answer }>[],
  { options, takeAllowance }: TableOptions<Options>,
): void {
  for (const { method, url, bodyLimit, run } of routes) {
    scope.route({
      method,
      url,
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(bodyLimit === sourcesBody && { onRequest: takeAllowance }),
      async handler(request, reply) {
        const work = () => run(options, request as Request);
        const answered = await (method === 'GET' ? askInTurn(request, work) : work());
        await writeAnswer(request, reply, 'answer' in answered ? answered.answer : toJsonAnswer(answered));
        return reply;
      },
    });
  }
}

export function toJsonAnswer({ status = 200, body }: JsonAnswer): Answer {
  return { status, body: JSON.stringify(body) };
}
