// NodeCreate, NodeUpdate and NodeDelete: the nodes of the network as the ledger itself manages them.
import type Long from 'long';
import type { JsonValue } from '../../../../packages/postgres/wire/values.ts';
import { type proto, toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { keyBytes } from '../../columns/entity-columns.ts';

export const nodeCreate: TransactionHandler<'nodeCreate'> = {
  entityId: ({ accountId }, _item, { lookup }) => lookup.account(accountId),
  onSuccess: (body, item, { lookup, rows }) =>
    rows.version('node', {
      ...nodeVersion(item, item.record.receipt?.nodeId),
      account_id: lookup.account(body.accountId) || null,
      admin_key: keyBytes(body.adminKey),
      associated_registered_nodes: (body.associatedRegisteredNode ?? []).map(toBigInt),
      created_timestamp: item.consensusTimestamp,
      decline_reward: body.declineReward ?? false,
      grpc_proxy_endpoint: endpointJson(body.grpcProxyEndpoint),
    }),
};

export const nodeUpdate: TransactionHandler<'nodeUpdate'> = {
  entityId: ({ accountId }, _item, { lookup }) => lookup.account(accountId),
  onSuccess: (body, item, { lookup, rows }) =>
    rows.version('node', {
      ...nodeVersion(item, body.nodeId),
      account_id: lookup.account(body.accountId) || null,
      admin_key: keyBytes(body.adminKey),
      // An empty list removes all of them.
      associated_registered_nodes: body.associatedRegisteredNodeList?.associatedRegisteredNode.map(toBigInt),
      // Nodes from before NodeCreate became known to mirrors by updates that the network made itself.
      created_timestamp: (item.body.transactionID?.nonce ?? 0) > 0 ? item.consensusTimestamp : null,
      decline_reward: body.declineReward ? (body.declineReward.value ?? false) : null,
      grpc_proxy_endpoint: endpointJson(body.grpcProxyEndpoint),
    }),
};

export const nodeDelete: TransactionHandler<'nodeDelete'> = {
  onSuccess: ({ nodeId }, item, { rows }) => rows.version('node', { ...nodeVersion(item, nodeId), deleted: true }),
};

function nodeVersion(item: BlockItem, nodeId: Long | null | undefined) {
  const range = { from: item.consensusTimestamp, to: null };
  return { node_id: toBigInt(nodeId), deleted: false, timestamp_range: range };
}

function endpointJson(endpoint: proto.IServiceEndpoint | null | undefined): JsonValue {
  if (!endpoint) return null;
  const { ipAddressV4, port, domainName } = endpoint;
  return { domain_name: domainName ?? '', ip_address_v4: [...(ipAddressV4 ?? [])].join('.'), port: port ?? 0 };
}
