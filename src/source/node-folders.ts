// Finds the folders in which nodes leave their record files, in every layout that is in use. The path may be any folder
// above them, or one of them.
import { readdir } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { byNode, isLayoutFolder, maxFreeLevels, mayHoldNodes, toStreamNode } from './layout.ts';
import type { StreamNode } from './stream-source.ts';

export type NodeFolder = { node: StreamNode; path: string };

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
    if (!mayHoldNodes(name)) continue;
    const child = join(path, name);
    const folder = toNodeFolder(child, root);
    const freeLevelsBelow = isLayoutFolder(name) ? freeLevels : freeLevels - 1;
    if (folder) found.push(folder);
    else if (freeLevelsBelow >= 0) await search(child, root, freeLevelsBelow, found);
  }
}

function toNodeFolder(path: string, root: string): NodeFolder | null {
  const node = toStreamNode(
    path.split(sep).join('/'),
    (nodePath) => relative(resolve(root), nodePath) || basename(nodePath),
  );
  return node && { path, node };
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
