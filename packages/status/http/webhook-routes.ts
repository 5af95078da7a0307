// How operators manage webhooks over HTTP. A secret is shown once, when the webhook is added.
import type { FastifyInstance } from 'fastify';
import { findComponent } from '../component-overrides.ts';
import { invalid, OperatorError } from '../operator-error.ts';
import type { StatusState } from '../status-state.ts';
import type { Webhooks } from '../webhooks/create-webhooks.ts';
import { addManageOperations, readObject } from './manage-operations.ts';
import type { StatusGate } from './status-gate.ts';

export type WebhookRoutesContext = { webhooks: Webhooks; gate: StatusGate; state(): StatusState };

const path = '/webhooks';

export function addWebhookRoutes(app: FastifyInstance, { webhooks, gate, state }: WebhookRoutesContext): void {
  addManageOperations(app, gate, [
    { method: 'GET', path, run: () => webhooks.list() },
    { method: 'POST', path, status: 201, run: ({ body, by }) => webhooks.add(readWebhook(body, state()), by) },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      run({ id }) {
        if (!webhooks.remove(id)) throw missing(id);
        return { removed: id };
      },
    },
    {
      method: 'POST',
      path: `${path}/:id/test`,
      status: 202,
      run({ id }) {
        if (!webhooks.test(id, state())) throw missing(id);
        return { tested: id };
      },
    },
  ]);
}

/** `components`: ids, keys or names to subscribe to; absent = all. */
function readWebhook(body: unknown, state: StatusState): { url: string; componentIds: string[] | null } {
  const { url, components } = readObject(body, ['url', 'components']);
  if (typeof url !== 'string') throw invalid('"url" must be a text: where messages are sent to.');
  if (components === undefined || components === null) return { url, componentIds: null };
  if (!Array.isArray(components) || components.length === 0) {
    throw invalid('"components" must be a list of ids or names; without it a webhook hears of all.');
  }
  return { url, componentIds: components.map((reference) => findComponent(state, String(reference)).id) };
}

function missing(id: string): OperatorError {
  return new OperatorError('notFound', `There is no webhook ${id}.`);
}
