// Finds the folders in which nodes leave their record files, in every layout that is in use:
// `recordstreams/record<account>` and `<network>/<shard>/<node>/record`, each also below `streams` and below folders
// named after days. The path may be any folder above them, or one of them.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseEntityId } from '../protocol/hapi/entity-id.ts';
import type { StreamNode } from './stream-source.ts';

export type NodeFolder = { node: StreamNode; path: string };

/** Levels whose name says nothing, such as networks and buckets, that may lie between the path and the nodes. */
const maxFreeLevels = 2;

/** In order of node. Empty when there are none yet or the path does not exist yet. */
export async function findNodeFolders(root: string): Promise<NodeFolder[]> {
  const found: NodeFolder[] = [];
  const path = resolve(root);
  const self = toNodeFolder(path, root);
  if (self) found.push(self);
  else await search(path, root, maxFreeLevels, found);
  return found.sort(byNode);
}

async function search(path: string, root: string, freeLevels: number, found: NodeFolder[]): Promise<void> {
  for (const name of await subfolders(path)) {
    if (name.startsWith('.') || foreignFolders.includes(name)) continue;
    const child = join(path, name);
    const folder = toNodeFolder(child, root);
    const freeLevelsBelow = isLayoutFolder(name) ? freeLevels : freeLevels - 1;
    if (folder) found.push(folder);
    else if (freeLevelsBelow >= 0) await search(child, root, freeLevelsBelow, found);
  }
}

const foreignFolders = ['node_modules', 'accountBalances', 'block', 'sidecar'];

/** Levels of the layouts: `streams`, `recordstreams`, a day, a shard, a node id. */
function isLayoutFolder(name: string): boolean {
  return name === 'streams' || name === 'recordstreams' || /^\d{4}-\d\d-\d\d$/.test(name) || /^\d{1,9}$/.test(name);
}

function toNodeFolder(path: string, root: string): NodeFolder | null {
  const name = basename(path);
  const account = /^record(\d+\.\d+\.\d+)$/.exec(name);
  if (account) return { path, node: { name, accountId: parseEntityId(account[1]!), nodeId: null } };
  const nodeId = basename(dirname(path));
  const shard = basename(dirname(dirname(path)));
  if (name !== 'record' || !/^\d+$/.test(nodeId) || !/^\d+$/.test(shard)) return null;
  const shown = relative(resolve(root), dirname(path)) || nodeId;
  return { path, node: { name: shown, accountId: null, nodeId: BigInt(nodeId) } };
}

async function subfolders(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map((entry) => entry.name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Folders come and go while a network writes; a symbolic link may lead to a file.
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

function byNode(a: NodeFolder, b: NodeFolder): number {
  const idA = a.node.accountId ?? a.node.nodeId ?? 0n;
  const idB = b.node.accountId ?? b.node.nodeId ?? 0n;
  if (idA !== idB) return idA < idB ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
