// What operators may do over HTTP below /status/manage: operations as a table, and readers of their JSON bodies. Only
// with a token; a refusal of the status service becomes an HTTP status.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from '../../kit/is-json-object.ts';
import { formatErrorBody } from '../../web-server/request-error.ts';
import { writeAnswer } from '../../web-server/write-answer.ts';
import { invalid, OperatorError, type OperatorProblem } from '../operator-error.ts';
import type { StatusGate } from './status-gate.ts';

type ManageRequest = {
  /** The last part of the path, if it names something. */
  id: string;
  body: unknown;
  /** Author of the request. */
  by: string;
};

export type ManageOperation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/status/manage`. */
  path: string;
  /** Default 200. */
  status?: number;
  /** Returns the body of the answer. */
  run(request: ManageRequest): unknown;
};

export function addManageOperations(app: FastifyInstance, gate: StatusGate, operations: ManageOperation[]): void {
  for (const { method, path, status = 200, run } of operations) {
    app.route({
      method,
      url: `/status/manage${path}`,
      async handler(request: FastifyRequest<{ Params: { id?: string } }>, reply: FastifyReply) {
        const author = gate.authorize(request, reply);
        if (!author) return reply;
        const { params, body } = request;
        try {
          await writePrivate(request, reply, status, JSON.stringify(run({ id: params.id!, body, by: author.by })));
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          await writePrivate(request, reply, statusOfProblem[error.reason], formatErrorBody([error.message]));
        }
        return reply;
      },
    });
  }
}

const statusOfProblem: Record<OperatorProblem, number> = { notFound: 404, invalid: 400, notWritten: 503 };

/** Never cached. */
export function writePrivate(request: FastifyRequest, reply: FastifyReply, status: number, body: string) {
  return writeAnswer(request, reply, { status, body, cacheControl: 'no-store' });
}

/** `members`: all allowed ones; null = any. */
export function readObject(value: unknown, members: readonly string[] | null): Record<string, unknown> {
  if (!isJsonObject(value)) throw invalid('The body must be a JSON object.');
  const unknown = members && Object.keys(value).find((name) => !members.includes(name));
  if (unknown) throw invalid(`"${unknown}" is not known here; known are ${members.join(', ')}.`);
  return value;
}
