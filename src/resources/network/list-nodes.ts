// GET network/nodes: the nodes of the newest address book.

import { isEmptyRange } from '../../../packages/kit/range.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { range } from '../../api/reading/query/conditions.ts';
import { type EntityCondition, entityConditions } from '../../api/reading/value/entity-id.ts';
import { integerText } from '../../api/reading/value/text-kinds.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { nodeKind } from './node-members.ts';

export const listNodes = endpoint({
  path: '/api/v1/network/nodes',
  id: 'listNodes',
  tag: 'Network',
  summary: 'The nodes of the network, as the newest address book lists them',
  peer: { java: 'object' },
  query: {
    'file.id': entityConditions(
      'Id of the file with the address book: number 101, or 102, the default.',
      { form: 'number', kind: 'file', most: { count: 1, name: 'fileId' } },
      toFileId,
    ),
    ...page({ order: 'asc', by: 'node id', limitDefault: 10, limitCap: 25 }),
    'node.id': range(
      integerText({ name: 'node' }),
      'Number of the node. Bounds must hold; exact ones are alternatives.',
    ),
  },
  check({ 'node.id': nodeId }) {
    if (isEmptyRange(nodeId)) throw refuse('invalidRange', { name: 'node.id' });
  },
  ask: ({ query }, { ledger }) =>
    ledger.network.nodes({ ...query, fileId: query['file.id'], nodeId: query['node.id'] }),
  next: ['node.id'],
  answer: pageOf('nodes', nodeKind, 'NetworkNodes'),
  fresh: 60,
  example: { text: 'the nodes of the network' },
});

/** null = absent; undefined = no file can have it. Throws RequestError. */
function toFileId(conditions: readonly EntityCondition[]): bigint | null | undefined {
  const last = conditions.at(-1);
  if (!last) return null;
  if (last.operator !== 'eq') throw refuse('onlyEqual', { name: 'file.id' });
  return last.reference.kind === 'id' ? last.reference.id : undefined;
}
