// The layouts in which networks store record files, by names alone: `recordstreams/record<account>` and
// `<network>/<shard>/<node>/record`, each also below `streams` and below folders named after days.
import { parseEntityId } from '../protocol/hapi/entity-id.ts';
import { LedgerValueError } from '../protocol/ledger-value-error.ts';
import type { StreamNode } from './stream-source.ts';

/** Levels with arbitrary names, such as networks and buckets, that may lie between the source's root and the nodes. */
export const maxFreeLevels = 2;

/** Levels that may lie between the source's root and a folder with blocks: networks, buckets, `block`. */
export const maxLevelsToBlocks = 5;

/** `problem`: named like a folder of a node, but with an impossible number. */
export type FolderOfNode = { node: StreamNode } | { problem: string };

/** Node ids are int64. */
const maxNodeId = 2n ** 63n - 1n;

/**
 * The node whose record files lie in this folder; null for any other folder.
 * @param path with `/` between names, and at least the last three of them
 * @param shown name of the node's folder where nodes go by id
 */
export function toStreamNode(path: string, shown: (nodePath: string) => string): FolderOfNode | null {
  const names = path.split('/');
  const [shard = '', nodeId = '', name = ''] = names.slice(-3);
  const last = names.at(-1)!;
  const account = /^record(\d+\.\d+\.\d+)$/.exec(last);
  if (account) {
    const accountId = readAccountId(account[1]!);
    if (accountId === null) return { problem: `no account has the number ${account[1]}` };
    return { node: { name: last, accountId, nodeId: null } };
  }
  if (name !== 'record' || !/^\d+$/.test(nodeId) || !/^\d+$/.test(shard)) return null;
  if (BigInt(nodeId) > maxNodeId) return { problem: `no node has the number ${nodeId}` };
  return { node: { name: shown(names.slice(0, -1).join('/')), accountId: null, nodeId: BigInt(nodeId) } };
}

function readAccountId(text: string): bigint | null {
  try {
    return parseEntityId(text);
  } catch (error) {
    if (error instanceof LedgerValueError) return null;
    throw error;
  }
}

/** Levels of the layouts: `streams`, `recordstreams`, a day, a shard, a node id. */
export function isLayoutFolder(name: string): boolean {
  return name === 'streams' || name === 'recordstreams' || dayName.test(name) || /^\d{1,9}$/.test(name);
}

/** Whether folders of nodes may lie below one of this name. */
export function mayHoldNodes(name: string): boolean {
  return !name.startsWith('.') && !['node_modules', 'accountBalances', 'block', 'sidecar'].includes(name);
}

/** Whether blocks may lie below a folder of this name; folders of nodes hold 100,000 files and more. */
export function mayHoldBlocks(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && !withoutBlocks.test(name) && !dayName.test(name);
}

const withoutBlocks = /^(record\d.*|recordstreams|accountBalances|sidecar)$/;
const dayName = /^\d{4}-\d\d-\d\d$/;

/** In order of node, then of path. */
export function byNode<Folder extends { node: StreamNode; path: string }>(a: Folder, b: Folder): number {
  const idA = a.node.accountId ?? a.node.nodeId ?? 0n;
  const idB = b.node.accountId ?? b.node.nodeId ?? 0n;
  if (idA !== idB) return idA < idB ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
