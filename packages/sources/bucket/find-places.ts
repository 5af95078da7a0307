// Finds the folders of nodes and of blocks in a bucket by listing folders only, never the contents of a node's folder.
import { isNestedFolderName, parseBlockName } from '../block-name.ts';
import {
  byNode,
  isLayoutFolder,
  maxFreeLevels,
  maxLevelsToBlocks,
  mayHoldBlocks,
  mayHoldNodes,
  toStreamNode,
} from '../layout.ts';
import type { TellPassedOver } from '../passed-over.ts';
import { type StreamNode, StreamSourceError } from '../stream-source.ts';
import type { AskedStore } from './ask-again.ts';

export type BucketPlaces = {
  /** In order of node; `path` without `/` at its end. */
  nodes: { node: StreamNode; path: string }[];
  blocks: BlockRoot | null;
};

/**
 * `path`: empty, or with `/` at its end. `digits` of the numbers in a flat folder's names; null if digits are folders.
 */
export type BlockRoot = { path: string; digits: number | null };

/** How many more levels may have arbitrary names (`free`), or lie above blocks; null = not searched. */
type Depth = { free: number | null; levels: number | null };

/**
 * Throws StreamSourceError; also if blocks lie in several folders, since they belong to different networks.
 * @param prefix without `/` at its end; empty = the whole bucket
 */
export async function findPlaces(
  store: AskedStore,
  prefix: string,
  { signal, onPassedOver = () => {} }: { signal?: AbortSignal | undefined; onPassedOver?: TellPassedOver } = {},
): Promise<BucketPlaces> {
  const nodes: BucketPlaces['nodes'] = [];
  const blocks: BlockRoot[] = [];
  if (!addNode(prefix)) await search(prefix, { free: maxFreeLevels, levels: maxLevelsToBlocks });
  if (blocks.length > 1) throw severalStreams(blocks.map(({ path }) => `${store.name}/${path}`));
  return { nodes: nodes.sort(byNode), blocks: blocks[0] ?? null };

  function addNode(path: string): boolean {
    const read = toStreamNode(path, (nodePath) => nodePath.slice(prefix === '' ? 0 : prefix.length + 1) || nodePath);
    if (read && 'node' in read) nodes.push({ node: read.node, path });
    else if (read) onPassedOver({ path: `${store.name}/${path}`, reason: read.problem });
    return read !== null;
  }

  async function search(path: string, { free, levels }: Depth): Promise<void> {
    const root = path === '' ? '' : `${path}/`;
    const { names, block } = await listFolders(store, root, signal);
    const isNested = names.some(isNestedFolderName);
    if (levels !== null && block !== null) blocks.push({ path: root, digits: block.indexOf('.') });
    else if (levels !== null && isNested) blocks.push({ path: root, digits: null });
    await Promise.all(
      names.map(async (name) => {
        if (isNestedFolderName(name)) return;
        const child = root + name;
        const looksForNodes = free !== null && mayHoldNodes(name);
        if (looksForNodes && addNode(child)) return;
        const freeBelow = looksForNodes ? (isLayoutFolder(name) ? free : free - 1) : -1;
        const levelsBelow = levels !== null && !isNested && mayHoldBlocks(name) ? levels - 1 : -1;
        if (freeBelow < 0 && levelsBelow < 0) return;
        await search(child, { free: freeBelow < 0 ? null : freeBelow, levels: levelsBelow < 0 ? null : levelsBelow });
      }),
    );
  }
}

/** The folders searched for are short; one with more pages than this is none of them. */
const maxPages = 10;

/** `block`: name of a block file in it. */
async function listFolders(store: AskedStore, root: string, signal: AbortSignal | undefined) {
  const names: string[] = [];
  let block: string | null = null;
  let after: string | null = null;
  for (let count = 0; count < maxPages; count++) {
    const page = await store.list({ prefix: root, after, folders: true }, signal);
    names.push(...page.folders.map((folder) => folder.slice(root.length, -1)));
    block ??=
      page.objects.map(({ key }) => key.slice(root.length)).find((name) => parseBlockName(name) !== null) ?? null;
    const last: string | undefined = page.folders.at(-1);
    // A folder of files, however many.
    if (!page.hasMore || last === undefined) break;
    after = behindFolder(last);
  }
  return { names, block };
}

/** Sorts after everything in the folder, and before what follows it: names of the layouts are ASCII. */
export function behindFolder(folder: string): string {
  return `${folder}~`;
}

function severalStreams(places: string[]): StreamSourceError {
  const [first] = places;
  const message = `Blocks lie in several folders: ${places.join(', ')}. They are those of different networks, or of a network before and after a reset: name one of them in --source`;
  return new StreamSourceError('noStreamFiles', first!, message);
}
