// How operators manage webhooks over HTTP. Bodies are JSON; a secret is shown once, when the webhook is added.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findComponent, OperatorError } from '../../../status/operator-changes.ts';
import type { StatusState } from '../../../status/status-state.ts';
import type { Webhooks } from '../../../status/webhooks/create-webhooks.ts';
import { formatErrorBody } from '../../frame/request-error.ts';
import { writeAnswer } from '../../frame/write-answer.ts';
import type { StatusGate } from '../status-gate.ts';

export type WebhookRoutesContext = { webhooks: Webhooks; gate: StatusGate; state(): StatusState };

type Request = FastifyRequest<{ Params: { id?: string } }>;
type Operation = {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  status: number;
  run(context: WebhookRoutesContext, request: Request, by: string): unknown;
};

const root = '/status/manage/webhooks';

const operations: Operation[] = [
  { method: 'GET', url: root, status: 200, run: ({ webhooks }) => webhooks.list() },
  {
    method: 'POST',
    url: root,
    status: 201,
    run: ({ webhooks, state }, { body }, by) => webhooks.add(readWebhook(body, state()), by),
  },
  {
    method: 'DELETE',
    url: `${root}/:id`,
    status: 200,
    run({ webhooks }, { params: { id } }) {
      if (!webhooks.remove(id!)) throw missing(id!);
      return { removed: id };
    },
  },
  {
    method: 'POST',
    url: `${root}/:id/test`,
    status: 202,
    run({ webhooks, state }, { params: { id } }) {
      if (!webhooks.test(id!, state())) throw missing(id!);
      return { tested: id };
    },
  },
];

export function addWebhookRoutes(app: FastifyInstance, context: WebhookRoutesContext): void {
  for (const { method, url, status, run } of operations) {
    app.route({
      method,
      url,
      async handler(request: Request, reply: FastifyReply) {
        const author = context.gate.authorize(request, reply);
        if (!author) return reply;
        const answer = (code: number, body: string) =>
          writeAnswer(request, reply, { status: code, body, cacheControl: 'no-store' });
        try {
          await answer(status, JSON.stringify(run(context, request, author.by)));
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          await answer(error.reason === 'notFound' ? 404 : 400, formatErrorBody([error.message]));
        }
        return reply;
      },
    });
  }
}

const members = ['url', 'components'];

/** `components`: ids, keys or names of those to hear of; without it all. */
function readWebhook(body: unknown, state: StatusState): { url: string; componentIds: string[] | null } {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw invalid('The body must be a JSON object.');
  const { url, components, ...rest } = body as Record<string, unknown>;
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) throw invalid(`"${unknown}" is not known here; known are ${members.join(', ')}.`);
  if (typeof url !== 'string') throw invalid('"url" must be a text: where messages are sent to.');
  if (components === undefined || components === null) return { url, componentIds: null };
  if (!Array.isArray(components) || components.length === 0) {
    throw invalid('"components" must be a list of ids or names; without it a webhook hears of all.');
  }
  return { url, componentIds: components.map((reference) => findComponent(state, String(reference)).id) };
}

function invalid(message: string): OperatorError {
  return new OperatorError('invalid', message);
}

function missing(id: string): OperatorError {
  return new OperatorError('notFound', `There is no webhook ${id}.`);
}
