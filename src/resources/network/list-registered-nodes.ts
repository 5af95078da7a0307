// GET network/registered-nodes: services registered with the network.
import { Type } from '@sinclair/typebox';
import { isEmptyRange } from '../../../packages/kit/range.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { equalOrBound, range } from '../../api/reading/query/conditions.ts';
import { operatorsOf } from '../../api/reading/query/query-parameters.ts';
import { oneWord } from '../../api/reading/value/one-word.ts';
import { nodeIdText } from '../../api/reading/value/text-kinds.ts';
import type { Kind } from '../../api/values/kind.ts';
import { boolean, int64, key, text, timestamp, word } from '../../api/values/kinds.ts';
import { array, members, nullable } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { validity } from '../../api/values/validity.ts';
import { type ServiceEndpoint, type ServiceType, serviceTypes } from '../../ledger/network/create-registered-nodes.ts';

const types = Object.keys(serviceTypes) as ServiceType[];
/** For kinds of services without further details. */
const nothing: Kind<ServiceEndpoint> = { schema: Type.Object({}), write: () => '{}' };

const only = (type: ServiceType) => (endpoint: ServiceEndpoint) => (endpoint.type === type ? endpoint : null);

const serviceEndpoint = members(
  {
    block_node: nullable(members({ endpoint_apis: array(text) }), only('BLOCK_NODE')),
    domain_name: nullable(text),
    general_service: nullable(members({ description: text }), only('GENERAL_SERVICE')),
    ip_address: nullable(text),
    mirror_node: nullable(nothing, only('MIRROR_NODE')),
    port: int64,
    requires_tls: boolean,
    rpc_relay: nullable(nothing, only('RPC_RELAY')),
    type: nullable(word(types)),
  },
  { name: 'RegisteredServiceEndpoint' },
);

const registeredNode = members(
  {
    admin_key: key,
    created_timestamp: nullable(timestamp),
    description: nullable(text),
    registered_node_id: int64,
    service_endpoints: array(serviceEndpoint),
    timestamp: validity,
  },
  { name: 'RegisteredNode' },
);

export const listRegisteredNodes = endpoint({
  path: '/api/v1/network/registered-nodes',
  id: 'listRegisteredNodes',
  tag: 'Network',
  summary: 'Services that registered with the network',
  peer: { java: 'object' },
  query: {
    'registerednode.id': range(nodeIdText, 'Id of the registered node: an exact one, or bounds that must all hold.', {
      accepts: equalOrBound,
      most: { count: 2, name: 'registeredNodeIds' },
    }),
    ...page({ order: 'asc', by: 'id' }),
    type: oneWord({ kind: 'serviceType', description: 'Only nodes with a service of this kind.', words: types }),
  },
  check({ 'registerednode.id': id }, query) {
    if (id.equals.length > 0 && operatorsOf(query, 'registerednode.id').length > 1) {
      throw refuse('malformedQuery', { text: "The 'eq' operator cannot be combined with other operators" });
    }
    if (isEmptyRange(id)) throw refuse('malformedQuery', { text: 'Invalid range: lower bound exceeds upper bound' });
  },
  ask: ({ query }, { ledger }) => ledger.registeredNodes.list({ ...query, id: query['registerednode.id'] }),
  next: ['registerednode.id'],
  answer: pageOf('registered_nodes', registeredNode, 'RegisteredNodes'),
  fresh: 60,
  example: { text: 'services that registered with the network' },
});
