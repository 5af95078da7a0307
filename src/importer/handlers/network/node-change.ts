// NodeCreate, NodeUpdate and NodeDelete: the nodes of the network as the ledger itself manages them.
import type Long from 'long';
import { proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import type { JsonValue } from '../../../store/schema/table.ts';
import type { BlockItem, TransactionHandler } from '../../block/item-context.ts';

export const nodeCreate: TransactionHandler = {
  bodyField: 'nodeCreate',
  entityId: (item, context) => context.lookup.account(item.body.nodeCreate?.accountId),
  onSuccess(item, context) {
    const body = item.body.nodeCreate;
    if (!body) return;
    context.rows.version('node', {
      ...nodeVersion(item, toBigInt(item.record.receipt?.nodeId)),
      account_id: context.lookup.account(body.accountId) || null,
      admin_key: body.adminKey ? proto.Key.encode(body.adminKey).finish() : null,
      associated_registered_nodes: nodeIds(body.associatedRegisteredNode),
      created_timestamp: item.consensusTimestamp,
      decline_reward: body.declineReward ?? false,
      grpc_proxy_endpoint: body.grpcProxyEndpoint ? endpointJson(body.grpcProxyEndpoint) : null,
    });
  },
};

export const nodeUpdate: TransactionHandler = {
  bodyField: 'nodeUpdate',
  entityId: (item, context) => context.lookup.account(item.body.nodeUpdate?.accountId),
  onSuccess(item, context) {
    const body = item.body.nodeUpdate;
    if (!body) return;
    context.rows.version('node', {
      ...nodeVersion(item, toBigInt(body.nodeId)),
      account_id: context.lookup.account(body.accountId) || undefined,
      admin_key: body.adminKey ? proto.Key.encode(body.adminKey).finish() : undefined,
      // An empty list takes all of them away.
      associated_registered_nodes: body.associatedRegisteredNodeList
        ? nodeIds(body.associatedRegisteredNodeList.associatedRegisteredNode)
        : undefined,
      // Nodes of the time before NodeCreate were told to mirrors by updates that the network made itself.
      created_timestamp: (item.body.transactionID?.nonce ?? 0) > 0 ? item.consensusTimestamp : undefined,
      decline_reward: body.declineReward ? (body.declineReward.value ?? false) : undefined,
      grpc_proxy_endpoint: body.grpcProxyEndpoint ? endpointJson(body.grpcProxyEndpoint) : undefined,
    });
  },
};

export const nodeDelete: TransactionHandler = {
  bodyField: 'nodeDelete',
  entityId: () => 0n,
  onSuccess(item, context) {
    const body = item.body.nodeDelete;
    if (!body) return;
    context.rows.version('node', { ...nodeVersion(item, toBigInt(body.nodeId)), deleted: true });
  },
};

function nodeVersion(item: BlockItem, nodeId: bigint) {
  return { node_id: nodeId, deleted: false, timestamp_range: { from: item.consensusTimestamp, to: null } };
}

function nodeIds(ids: Long[] | undefined): bigint[] {
  return (ids ?? []).map(toBigInt);
}

function endpointJson({ ipAddressV4, port, domainName }: proto.IServiceEndpoint): JsonValue {
  return { domain_name: domainName ?? '', ip_address_v4: [...(ipAddressV4 ?? [])].join('.'), port: port ?? 0 };
}
