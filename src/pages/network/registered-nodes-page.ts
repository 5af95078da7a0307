// `/{network}/network/registered-nodes`: services that registered with the network: block nodes, mirror nodes, relays
// and others.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { ServiceEndpoint, ServiceType } from '../../ledger/network/create-registered-nodes.ts';
import { listRegisteredNodes } from '../../resources/network/list-registered-nodes.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import { foreignField, timeField } from '../parts/fields.ts';
import type { FilterField } from '../parts/filters.ts';
import { foreignText } from '../parts/foreign-text.ts';
import type { Column } from '../parts/table.ts';
import { formatDay } from '../parts/times.ts';

type RegisteredNode = ItemOf<typeof listRegisteredNodes>;

const typeNames: Readonly<Record<ServiceType, string>> = {
  BLOCK_NODE: 'Block node',
  GENERAL_SERVICE: 'Other service',
  MIRROR_NODE: 'Mirror node',
  RPC_RELAY: 'JSON-RPC relay',
};

const columns: readonly Column<RegisteredNode>[] = [
  {
    name: 'Number',
    show: ({ registeredNodeId }) => registeredNodeId,
    fields: [{ name: 'registered_node_id', text: ({ registeredNodeId }) => registeredNodeId.toString() }],
  },
  {
    name: 'Description',
    show: ({ description }) => foreignText(description ?? '', { max: 100 }),
    fields: [foreignField('description', ({ description }) => description)],
  },
  { name: 'Services', show: ({ serviceEndpoints }) => formatServices(serviceEndpoints) },
  {
    name: 'Since',
    show: ({ createdTimestamp }) => (createdTimestamp === null ? null : formatDay(createdTimestamp)),
    fields: [timeField('created_timestamp', ({ createdTimestamp }) => createdTimestamp)],
  },
];

const maxServices = 10;

function formatServices(endpoints: readonly ServiceEndpoint[]): MarkupValue {
  const shown = endpoints.slice(0, maxServices).map((one) => html`<div>${formatService(one)}</div>`);
  const left = endpoints.length - shown.length;
  return left > 0 ? [...shown, html`<div class="faint">and ${left} more</div>`] : shown;
}

function formatService({ type, domainName, ipAddress, port, requiresTls, endpointApis }: ServiceEndpoint): MarkupValue {
  const apis = endpointApis.length === 0 ? '' : ` (${endpointApis.slice(0, 10).join(', ')})`;
  const kind = type === null ? 'Unknown service' : typeNames[type];
  const tls = requiresTls ? html` <span class="faint">TLS</span>` : null;
  return html`${kind}${foreignText(apis)}: ${foreignText(domainName ?? ipAddress ?? '', { max: 100 })}:${port}${tls}`;
}

const typeField: FilterField = {
  name: 'type',
  label: 'Kind of service',
  choices: [['', 'Every kind'], ...Object.entries(typeNames)],
};

export const registeredNodesPage = listPage({
  path: '/network/registered-nodes',
  title: () => 'Registered services',
  endpoint: listRegisteredNodes,
  items: itemsOfPage,
  columns: () => columns,
  none: 'No service fits.',
  filters: [typeField],
});
