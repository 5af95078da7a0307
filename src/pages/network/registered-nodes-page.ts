// `/{network}/network/registered-nodes`: services that registered with the network: block nodes, mirror nodes, relays
// and others; and `/{network}/registered-node/{number}`, one of them.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { ServiceEndpoint, ServiceType } from '../../ledger/network/create-registered-nodes.ts';
import { listRegisteredNodes } from '../../resources/network/list-registered-nodes.ts';
import { type ItemOf, itemsOfPage, listPage, pathOfJson } from '../lists/list-page.ts';
import { type Links, link } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import { facts } from '../parts/facts.ts';
import { foreignField, timeField } from '../parts/fields.ts';
import type { FilterField } from '../parts/filters.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { keyTree } from '../parts/key-tree.ts';
import { heading, section } from '../parts/section.ts';
import type { Column } from '../parts/table.ts';
import { exactMoment, formatDay } from '../parts/times.ts';

type RegisteredNode = ItemOf<typeof listRegisteredNodes>;

const typeNames: Readonly<Record<ServiceType, string>> = {
  BLOCK_NODE: 'Block node',
  GENERAL_SERVICE: 'Other service',
  MIRROR_NODE: 'Mirror node',
  RPC_RELAY: 'JSON-RPC relay',
};

const columns = (links: Links): readonly Column<RegisteredNode>[] => [
  {
    name: 'Number',
    narrow: 'title',
    narrowName: 'before',
    show: ({ registeredNodeId }) => link(`${links.start}/registered-node/${registeredNodeId}`, registeredNodeId),
    fields: [{ name: 'registered_node_id', text: ({ registeredNodeId }) => registeredNodeId.toString() }],
  },
  {
    name: 'Description',
    narrow: 'below',
    show: ({ description }) => foreignText(description ?? '', { max: 100 }),
    fields: [foreignField('description', ({ description }) => description)],
  },
  { name: 'Services', narrow: 'below', show: ({ serviceEndpoints }) => formatServices(serviceEndpoints) },
  {
    name: 'Since',
    narrow: 'amount',
    show: ({ createdTimestamp }) => (createdTimestamp === null ? null : formatDay(createdTimestamp)),
    fields: [timeField('created_timestamp', ({ createdTimestamp }) => createdTimestamp)],
  },
];

const [maxServices, maxServicesOfOne] = [10, 100];

function formatServices(endpoints: readonly ServiceEndpoint[], most = maxServices): MarkupValue {
  const shown = endpoints.slice(0, most).map((one) => html`<div>${formatService(one)}</div>`);
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

export const registeredNodePage: Page = {
  path: '/registered-node/:nodeId',
  async ask({ params, queryText }, { ask, links }) {
    if (queryText !== '') throw refuse('unknownParameter', { name: queryText.split('=')[0]!.slice(0, 100) });
    const query = `registerednode.id=${encodeURIComponent(params.nodeId!)}`;
    const [node] = (await ask(listRegisteredNodes, { queryText: query })).found.items;
    if (!node) throw refuse('notFound');
    const { registeredNodeId: number, adminKey, createdTimestamp, description, serviceEndpoints } = node;
    const shown = facts([
      ['Description', foreignText(description ?? '')],
      ['Services', formatServices(serviceEndpoints, maxServicesOfOne)],
      ['Admin key', keyTree(adminKey, links)],
      ['Registered', createdTimestamp === null ? null : exactMoment(createdTimestamp)],
    ]);
    const beside = link(`${links.start}/network/registered-nodes`, 'All registered services');
    return {
      title: `Registered service ${number}`,
      main: html`${heading('Registered service', number)}
${section({ id: 'facts', title: 'Facts', beside }, shown)}`,
      json: pathOfJson(listRegisteredNodes, {}, query),
    };
  },
};

export const registeredNodesPage = listPage({
  path: '/network/registered-nodes',
  title: () => 'Registered services',
  endpoint: listRegisteredNodes,
  items: itemsOfPage,
  columns: ({ links }) => columns(links),
  none: 'No service fits.',
  filters: [typeField],
});
