// Services registered with the network: block nodes, mirror nodes, relays and others.

import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import { isEmptyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type RegisteredNodeRow,
  type RegisteredNodesFilter,
  selectRegisteredNodes,
} from '../../../packages/store/read/select-registered-nodes.ts';
import { askPage } from '../question/page.ts';

/** Kinds of services, with their numbers in the database. */
export const serviceTypes = { BLOCK_NODE: 1, GENERAL_SERVICE: 2, MIRROR_NODE: 3, RPC_RELAY: 4 } as const;
export type ServiceType = keyof typeof serviceTypes;

export type ServiceEndpoint = {
  /** null if the ledger does not have it. */
  type: ServiceType | null;
  /** Of a block node. */
  endpointApis: string[];
  /** Of a general service. */
  description: string;
  domainName: string | null;
  ipAddress: string | null;
  port: bigint;
  requiresTls: boolean;
};

export type RegisteredNode = ReturnType<typeof toRegisteredNode>;

type RegisteredNodesQuery = Omit<RegisteredNodesFilter, 'type'> & { type: ServiceType | null };

export function createRegisteredNodes({ db }: { db: Database }) {
  return {
    /** Those that are not deleted. */
    list: (query: RegisteredNodesQuery) =>
      askPage(
        isEmptyRange(query.id) ? null : { ...query, type: query.type && serviceTypes[query.type] },
        async (filter) => (await selectRegisteredNodes(db, filter)).map(toRegisteredNode),
        (last) => last.registeredNodeId,
      ),
  };
}

function toRegisteredNode(row: RegisteredNodeRow) {
  const endpoints = Array.isArray(row.serviceEndpoints) ? row.serviceEndpoints : [];
  return { ...row, serviceEndpoints: (endpoints as unknown[]).filter(isJsonObject).map(toServiceEndpoint) };
}

type JsonObject = Record<string, unknown>;

function toServiceEndpoint(stored: JsonObject): ServiceEndpoint {
  const blockNode = isJsonObject(stored.block_node) ? stored.block_node : null;
  const generalService = isJsonObject(stored.general_service) ? stored.general_service : null;
  const apis = Array.isArray(blockNode?.endpoint_apis) ? blockNode.endpoint_apis : [];
  return {
    type: typeOf(stored),
    endpointApis: apis.map(String),
    description: String(generalService?.description ?? ''),
    domainName: toText(stored.domain_name),
    ipAddress: toText(stored.ip_address),
    port: typeof stored.port === 'bigint' ? stored.port : 0n,
    requiresTls: stored.requires_tls === true,
  };
}

function typeOf(stored: JsonObject): ServiceType | null {
  if (isJsonObject(stored.block_node)) return 'BLOCK_NODE';
  if (isJsonObject(stored.general_service)) return 'GENERAL_SERVICE';
  if (isJsonObject(stored.mirror_node)) return 'MIRROR_NODE';
  return isJsonObject(stored.rpc_relay) ? 'RPC_RELAY' : null;
}

/** An empty text counts as none. */
function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
