// A row of a node as a ledger value.
import type { NodeRow } from '../../store/read/select-nodes.ts';
import type { JsonValue } from '../../store/schema/table.ts';
import type { NetworkNode, NodeStake, ServiceEndpoint } from './network.ts';
import { toStakingPeriod } from './to-network-stake.ts';

export function toNetworkNode(row: NodeRow): NetworkNode {
  return {
    nodeId: row.nodeId,
    nodeAccountId: row.accountId ?? row.nodeAccountId,
    adminKey: row.adminKey,
    associatedRegisteredNodes: row.associatedRegisteredNodes ?? [],
    declineReward: row.declineReward,
    description: row.description,
    fileId: row.fileId,
    grpcProxyEndpoint: toEndpoint(row.grpcProxyEndpoint),
    memo: row.memo,
    nodeCertHash: row.nodeCertHash,
    publicKey: row.publicKey,
    serviceEndpoints: (row.serviceEndpoints as JsonValue[]).map((stored) => toEndpoint(stored)!),
    stake: toStake(row),
    valid: { from: row.startConsensusTimestamp, to: row.endConsensusTimestamp },
  };
}

function toStake(row: NodeRow): NodeStake | null {
  if (row.stakingPeriod === null) return null;
  const known = (amount: bigint): bigint | null => (amount === -1n ? null : amount);
  return {
    maxStake: known(row.maxStake),
    minStake: known(row.minStake),
    rewardRateStart: row.rewardRate,
    stake: row.stake,
    stakeNotRewarded: known(row.stakeNotRewarded),
    stakeRewarded: row.stakeRewarded,
    stakingPeriod: toStakingPeriod(row.stakingPeriod),
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
