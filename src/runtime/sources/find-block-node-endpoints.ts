// Where a registered block node serves subscriptions and its status. Anyone can pay for a registration: a host must be
// a valid host name, and nothing is assumed that is not declared.
import { isIP } from 'node:net';
import type { RegisteredNode, ServiceEndpoint } from '../../ledger/network/create-registered-nodes.ts';

export type RegisteredEndpoint = { host: string; port: number; isSecure: boolean };
export type BlockNodeEndpoints = { subscription: RegisteredEndpoint; status: RegisteredEndpoint };

/**
 * null: none of its endpoints serves subscriptions, or none the status. All endpoints of a node have the same blocks.
 */
export function findBlockNodeEndpoints(node: Pick<RegisteredNode, 'serviceEndpoints'>): BlockNodeEndpoints | null {
  const serving = node.serviceEndpoints.flatMap((endpoint) => {
    const place = endpoint.type === 'BLOCK_NODE' ? toPlace(endpoint) : null;
    return place ? [{ ...place, apis: endpoint.endpointApis }] : [];
  });
  const subscription = serving.find(({ apis }) => apis.includes('SUBSCRIBE_STREAM'));
  if (!subscription) return null;
  const statuses = serving.filter(({ apis }) => apis.includes('STATUS'));
  const status =
    statuses.find((endpoint) => endpoint === subscription) ??
    statuses.find(({ host }) => host === subscription.host) ??
    statuses[0];
  return status ? { subscription: withoutApis(subscription), status: withoutApis(status) } : null;
}

function withoutApis({ host, port, isSecure }: RegisteredEndpoint): RegisteredEndpoint {
  return { host, port, isSecure };
}

function toPlace({ domainName, ipAddress, port, requiresTls }: ServiceEndpoint): RegisteredEndpoint | null {
  const host = ipAddress !== null && isIP(ipAddress) ? ipAddress : domainName && toHostName(domainName);
  if (!host || port < 1n || port > 65_535n) return null;
  return { host, port: Number(port), isSecure: requiresTls };
}

/** RFC 1123; a domain name of the ledger has at most 250 characters. */
function toHostName(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, '');
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
  return isName && name.length <= 250 ? name : null;
}
