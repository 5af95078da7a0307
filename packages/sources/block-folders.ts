// The block files of a folder, in flat folders and in nested ones, by number. A flat folder is listed once and then
// followed. A nested one may hold millions of blocks, so a block is looked for at its path.
import { basename, join } from 'node:path';
import {
  beyondBlockNumbers,
  isNestedFolderName,
  maxBlockNumber,
  nestedBlockPaths,
  parseBlockName,
  secondCopy,
} from './block-name.ts';
import { type EnteredFolder, enterFolder, enterRoot, isPresent, listFolder } from './enter-folder.ts';
import { maxLevelsToBlocks, mayHoldBlocks } from './layout.ts';
import type { TellPassedOver } from './passed-over.ts';
import type { StreamBlockFile } from './stream-source.ts';
import { createWatchedFolder } from './watched-folder.ts';

export type BlockFolders = ReturnType<typeof createBlockFolders>;

type Options = {
  live: boolean;
  onChange(): void;
  /** How often to look for folders while there are none. */
  pollMs: number;
  onPassedOver?: TellPassedOver;
};

/** This lists the known folders, however many files they hold. */
const findMoreEveryMs = 30_000;

export function createBlockFolders(path: string, { live, onChange, pollMs, onPassedOver = () => {} }: Options) {
  const flat = new Map<string, FlatFolder>();
  const nested = new Map<string, NestedFolder>();
  let foundAtMs = Number.NEGATIVE_INFINITY;

  async function findFolders(): Promise<void> {
    const roots = { flat: new Set<string>(), nested: new Set<string>() };
    await findBlockFolders(await enterRoot(path), maxLevelsToBlocks, roots, onPassedOver);
    for (const root of roots.flat) {
      if (!flat.has(root)) flat.set(root, createFlatFolder(root, { live, onChange, onPassedOver }));
    }
    for (const root of roots.nested) nested.set(root, createNestedFolder(root, onPassedOver));
    foundAtMs = performance.now();
  }

  async function find(number: bigint): Promise<StreamBlockFile | null> {
    for (const folder of [...flat.values(), ...nested.values()]) {
      const [first] = await folder.copies(number);
      if (first) return first;
    }
    return null;
  }

  /** The block of the best of these numbers. */
  async function findBest(
    numbers: readonly (bigint | null)[],
    isBetter: (a: bigint, b: bigint) => boolean,
  ): Promise<StreamBlockFile | null> {
    let best: bigint | null = null;
    for (const number of numbers) if (number !== null && (best === null || isBetter(number, best))) best = number;
    return best === null ? null : find(best);
  }

  return {
    find,
    /** All that have this number, in order of preference: within a folder by name. */
    async copies(number: bigint): Promise<StreamBlockFile[]> {
      const found: StreamBlockFile[] = [];
      for (const folder of [...flat.values(), ...nested.values()]) found.push(...(await folder.copies(number)));
      return found;
    },
    /** Looks for new files and, now and then, for new folders. */
    async refresh(): Promise<void> {
      const everyMs = flat.size + nested.size === 0 ? pollMs : findMoreEveryMs;
      if (performance.now() - foundAtMs >= everyMs) await findFolders();
      for (const folder of flat.values()) await folder.refresh();
    },
    async findFrom(number: bigint): Promise<StreamBlockFile | null> {
      const lowest: (bigint | null)[] = [...flat.values()].map((folder) => folder.lowestFrom(number));
      for (const root of nested.keys()) lowest.push(await lowestNested(root, '', number, onPassedOver));
      return findBest(lowest, (a, b) => a < b);
    },
    /** The block with the highest number. */
    async findLast(): Promise<StreamBlockFile | null> {
      const highest: (bigint | null)[] = [...flat.values()].map((folder) => folder.highest());
      for (const root of nested.keys()) highest.push(await highestNested(root, '', onPassedOver));
      return findBest(highest, (a, b) => a > b);
    },
    close(): void {
      for (const folder of flat.values()) folder.close();
    },
  };
}

type FlatFolder = ReturnType<typeof createFlatFolder>;

function createFlatFolder(
  location: string,
  { onPassedOver, ...watching }: { live: boolean; onChange(): void; onPassedOver: TellPassedOver },
) {
  const folder = createWatchedFolder(location, watching);
  const names = new Map<bigint, string>();
  /** Of the rare blocks with several names, all but the first. */
  const others = new Map<bigint, string[]>();

  function add(name: string): void {
    const number = parseBlockName(name);
    if (number === null) return;
    if (number > maxBlockNumber) {
      onPassedOver({ path: join(location, name), reason: beyondBlockNumbers });
      return;
    }
    const known = names.get(number);
    if (known === undefined) names.set(number, name);
    if (known === undefined || known === name || others.get(number)?.includes(name)) return;
    const [first, ...more] = [known, name, ...(others.get(number) ?? [])].sort();
    names.set(number, first!);
    others.set(number, more);
    for (const other of more) onPassedOver(secondCopy(join(location, other), number, first!));
  }

  return {
    async refresh(): Promise<void> {
      for (const name of await folder.newNames()) add(name);
    },
    copies(number: bigint): StreamBlockFile[] {
      const name = names.get(number);
      if (name === undefined) return [];
      return [name, ...(others.get(number) ?? [])].map((one) => ({ number, name: one, location }));
    },
    lowestFrom(number: bigint): bigint | null {
      let lowest: bigint | null = null;
      for (const known of names.keys()) if (known >= number && (lowest === null || known < lowest)) lowest = known;
      return lowest;
    },
    highest(): bigint | null {
      let highest: bigint | null = null;
      for (const known of names.keys()) if (highest === null || known > highest) highest = known;
      return highest;
    },
    close: folder.close,
  };
}

type NestedFolder = { copies(number: bigint): Promise<StreamBlockFile[]> };

function createNestedFolder(root: string, onPassedOver: TellPassedOver): NestedFolder {
  return {
    async copies(number) {
      const paths = nestedBlockPaths(number).map((relative) => join(root, relative));
      const present = await Promise.all(paths.map(isPresent));
      const found = paths.filter((_path, index) => present[index]);
      for (const second of found.slice(1)) onPassedOver(secondCopy(second, number, basename(found[0]!)));
      return found.map((path) => ({ number, name: basename(path), location: join(path, '..') }));
    },
  };
}

type Roots = { flat: Set<string>; nested: Set<string> };

async function findBlockFolders(
  folder: EnteredFolder,
  levels: number,
  roots: Roots,
  onPassedOver: TellPassedOver,
): Promise<void> {
  const entries = await listFolder(folder.path);
  if (entries.some((entry) => !entry.isDirectory() && parseBlockName(entry.name) !== null)) {
    roots.flat.add(folder.path);
  }
  const below: EnteredFolder[] = [];
  let isNested = false;
  for (const entry of entries) {
    if (entry.isFile() || parseBlockName(entry.name) !== null) continue;
    if (!isNestedFolderName(entry.name) && !mayHoldBlocks(entry.name)) continue;
    const child = await enterFolder(folder, entry, onPassedOver);
    if (!child) continue;
    isNested ||= isNestedFolderName(entry.name);
    below.push(child);
  }
  if (isNested) roots.nested.add(folder.path);
  if (isNested || levels === 0) return;
  for (const child of below) await findBlockFolders(child, levels - 1, roots, onPassedOver);
}

/** The lowest number from `from` on below a nested layout's folder; `digits` come from the folders above. */
async function lowestNested(
  folder: string,
  digits: string,
  from: bigint,
  onPassedOver: TellPassedOver,
): Promise<bigint | null> {
  for (const { all, path } of await listNested(folder, digits, onPassedOver)) {
    // The highest number that can be below this name.
    if (BigInt(all.padEnd(19, '9')) < from) continue;
    const found = path === null ? BigInt(all) : await lowestNested(path, all, from, onPassedOver);
    if (found !== null && found >= from) return found;
  }
  return null;
}

async function highestNested(folder: string, digits: string, onPassedOver: TellPassedOver): Promise<bigint | null> {
  for (const { all, path } of (await listNested(folder, digits, onPassedOver)).reverse()) {
    const found = path === null ? BigInt(all) : await highestNested(path, all, onPassedOver);
    if (found !== null) return found;
  }
  return null;
}

type NestedEntry = { all: string; path: string | null };

/** The entries of a folder of a nested layout, by number; `path` of a folder. */
async function listNested(folder: string, digits: string, onPassedOver: TellPassedOver): Promise<NestedEntry[]> {
  const found: NestedEntry[] = [];
  const entries = (await listFolder(folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isNestedFolderName(entry.name)) {
      // This layout has links only where someone made them.
      const isThere = !entry.isSymbolicLink() || (await enterFolder(await enterRoot(folder), entry, onPassedOver));
      if (isThere) found.push({ all: digits + entry.name, path });
      continue;
    }
    const last = /^(\d{3})\.blk/.exec(entry.name)?.[1];
    if (last === undefined) continue;
    if (BigInt(digits + last) <= maxBlockNumber) found.push({ all: digits + last, path: null });
    else onPassedOver({ path, reason: beyondBlockNumbers });
  }
  return found;
}
