// Finds the folders with the nodes' record files, in every layout in use. The path may be any folder above them, or one
// of them.
import { basename, relative, resolve, sep } from 'node:path';
import { type EnteredFolder, enterFolder, enterRoot, listFolder } from './enter-folder.ts';
import { byNode, isLayoutFolder, maxFreeLevels, mayHoldNodes, toStreamNode } from './layout.ts';
import type { TellPassedOver } from './passed-over.ts';
import type { StreamNode } from './stream-source.ts';

export type NodeFolder = { node: StreamNode; path: string };

/** In order of node. Empty if there are none yet or the path does not exist yet. */
export async function findNodeFolders(root: string, onPassedOver: TellPassedOver = () => {}): Promise<NodeFolder[]> {
  const found: NodeFolder[] = [];
  const path = resolve(root);
  if (!add(path)) await search(await enterRoot(path), maxFreeLevels);
  return found.sort(byNode);

  /** Whether it is a folder of a node. */
  function add(folder: string): boolean {
    const read = toStreamNode(
      folder.split(sep).join('/'),
      (nodePath) => relative(path, nodePath) || basename(nodePath),
    );
    if (read && 'node' in read) found.push({ path: folder, node: read.node });
    else if (read) onPassedOver({ path: folder, reason: read.problem });
    return read !== null;
  }

  async function search(folder: EnteredFolder, freeLevels: number): Promise<void> {
    for (const entry of await listFolder(folder.path)) {
      if (!(entry.isDirectory() || entry.isSymbolicLink()) || !mayHoldNodes(entry.name)) continue;
      const child = await enterFolder(folder, entry, onPassedOver);
      if (!child) continue;
      const freeLevelsBelow = isLayoutFolder(entry.name) ? freeLevels : freeLevels - 1;
      if (!add(child.path) && freeLevelsBelow >= 0) await search(child, freeLevelsBelow);
    }
  }
}
