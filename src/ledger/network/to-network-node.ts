// A row of a node as a ledger value.
import type { NodeRow } from '../../store/read/select-nodes.ts';
import type { JsonValue } from '../../store/schema/table.ts';
import type { NetworkNode, NodeStake, ServiceEndpoint } from './network.ts';
import { toStakingPeriod } from './to-network-stake.ts';

export function toNetworkNode(row: NodeRow): NetworkNode {
  return {
    nodeId: row.node_id,
    nodeAccountId: row.account_id ?? row.node_account_id,
    adminKey: row.admin_key,
    associatedRegisteredNodes: row.associated_registered_nodes ?? [],
    declineReward: row.decline_reward,
    description: row.description,
    fileId: row.file_id,
    grpcProxyEndpoint: toEndpoint(row.grpc_proxy_endpoint),
    memo: row.memo,
    nodeCertHash: row.node_cert_hash,
    publicKey: row.public_key,
    serviceEndpoints: (row.service_endpoints as JsonValue[]).map((stored) => toEndpoint(stored)!),
    stake: toStake(row),
    valid: { from: row.start_consensus_timestamp, to: row.end_consensus_timestamp },
  };
}

function toStake(row: NodeRow): NodeStake | null {
  if (row.staking_period === null) return null;
  const known = (amount: bigint): bigint | null => (amount === -1n ? null : amount);
  return {
    maxStake: known(row.max_stake),
    minStake: known(row.min_stake),
    rewardRateStart: row.reward_rate,
    stake: row.stake,
    stakeNotRewarded: known(row.stake_not_rewarded),
    stakeRewarded: row.stake_rewarded,
    stakingPeriod: toStakingPeriod(row.staking_period),
  };
}

function toEndpoint(stored: JsonValue): ServiceEndpoint | null {
  if (stored === null) return null;
  const { domain_name, ip_address_v4, port } = stored as { [name: string]: JsonValue | undefined };
  return { domainName: toText(domain_name), ipAddressV4: toText(ip_address_v4), port: Number(port ?? -1) };
}

function toText(stored: JsonValue | undefined): string {
  return typeof stored === 'string' ? stored : '';
}
