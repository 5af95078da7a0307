// RegisteredNodeCreate, -Update and -Delete (HIP-1137): services around the network, block nodes, mirror nodes, relays,
// that register their addresses.
import type Long from 'long';
import type { JsonValue } from '../../../../packages/postgres/wire/values.ts';
import { toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import type { RegisteredServiceEndpoint } from '../../../../packages/protocol/hapi/transaction-body.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { changedText, nonEmpty, toStoredText } from '../../columns/stored-values.ts';

export const registeredNodeCreate: TransactionHandler<'registeredNodeCreate'> = {
  onSuccess: (body, item, { rows }) =>
    rows.version('registered_node', {
      ...nodeVersion(item, item.record.receipt?.registeredNodeId),
      ...endpointColumns(body.serviceEndpoint),
      admin_key: nonEmpty(body.adminKey),
      created_timestamp: item.consensusTimestamp,
      description: toStoredText(body.description ?? ''),
    }),
};

export const registeredNodeUpdate: TransactionHandler<'registeredNodeUpdate'> = {
  onSuccess: (body, item, { rows }) =>
    rows.version('registered_node', {
      ...nodeVersion(item, body.registeredNodeId),
      ...(body.serviceEndpoint.length > 0 ? endpointColumns(body.serviceEndpoint) : {}),
      admin_key: nonEmpty(body.adminKey),
      description: changedText(body.description),
    }),
};

export const registeredNodeDelete: TransactionHandler<'registeredNodeDelete'> = {
  onSuccess: ({ registeredNodeId }, item, { rows }) =>
    rows.version('registered_node', { ...nodeVersion(item, registeredNodeId), deleted: true }),
};

function nodeVersion(item: BlockItem, nodeId: Long | null | undefined) {
  const range = { from: item.consensusTimestamp, to: null };
  return { registered_node_id: toBigInt(nodeId), deleted: false, timestamp_range: range };
}

function endpointColumns(endpoints: RegisteredServiceEndpoint[]) {
  const types = new Set(endpoints.map(endpointType).filter((type) => type !== null));
  return { service_endpoints: endpoints.map(endpointJson), type: [...types].sort() };
}

/** Kinds of endpoints in the column `type`. */
function endpointType({ blockNode, generalService, mirrorNode, rpcRelay }: RegisteredServiceEndpoint): number | null {
  if (blockNode) return 1;
  if (generalService) return 2;
  if (mirrorNode) return 3;
  return rpcRelay ? 4 : null;
}

/** BlockNodeApi of HAPI by number. */
const blockNodeApis = ['OTHER', 'STATUS', 'PUBLISH', 'SUBSCRIBE_STREAM', 'STATE_PROOF'];

function endpointJson(endpoint: RegisteredServiceEndpoint): JsonValue {
  const { blockNode, domainName, generalService, ipAddress, mirrorNode, port, requiresTls, rpcRelay } = endpoint;
  const address = nonEmpty(ipAddress);
  return {
    block_node: blockNode
      ? { endpoint_apis: blockNode.endpointApi.map((api) => blockNodeApis[api] ?? 'UNRECOGNIZED') }
      : null,
    domain_name: domainName || null,
    general_service: generalService ? { description: generalService.description ?? '' } : null,
    ip_address: address ? ipAddressText(address) : null,
    mirror_node: mirrorNode ? {} : null,
    port: port ?? 0,
    requires_tls: requiresTls ?? false,
    rpc_relay: rpcRelay ? {} : null,
  };
}

/** Four bytes as IPv4; others as IPv6 in groups of two bytes, without abbreviation. */
function ipAddressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return [...bytes].join('.');
  const groups =
    Buffer.from(bytes)
      .toString('hex')
      .match(/.{1,4}/g) ?? [];
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
