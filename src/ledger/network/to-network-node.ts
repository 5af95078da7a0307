// A row of a node as a ledger value.

import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import type { NodeRow } from '../../../packages/store/read/select-nodes.ts';

type ServiceEndpoint = { domainName: string; ipAddressV4: string; port: number };

/** A stake of −1 means unknown. `timestamp`: when the address book was valid. */
export function toNetworkNode(row: NodeRow) {
  return {
    ...row,
    nodeAccountId: row.accountId ?? row.bookedAccountId,
    associatedRegisteredNodes: row.associatedRegisteredNodes ?? [],
    grpcProxyEndpoint: toEndpoint(row.grpcProxyEndpoint),
    serviceEndpoints: (row.serviceEndpoints as JsonValue[]).map((stored) => toEndpoint(stored)!),
    maxStake: known(row.maxStake),
    minStake: known(row.minStake),
    stakeNotRewarded: known(row.stakeNotRewarded),
    timestamp: { from: row.startConsensusTimestamp, to: row.endConsensusTimestamp },
  };
}

function known(amount: bigint | null): bigint | null {
  return amount === -1n ? null : amount;
}

function toEndpoint(stored: JsonValue): ServiceEndpoint | null {
  if (stored === null) return null;
  const { domain_name, ip_address_v4, port } = stored as { [name: string]: JsonValue | undefined };
  return { domainName: toText(domain_name), ipAddressV4: toText(ip_address_v4), port: Number(port ?? -1) };
}

function toText(stored: JsonValue | undefined): string {
  return typeof stored === 'string' ? stored : '';
}
