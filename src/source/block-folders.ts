// The block files of a folder, in flat folders and in nested ones, by number. A flat folder is listed once and then
// followed; in a nested one a block is looked for where it must be, since it may hold millions.
import { access } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  beyondBlockNumbers,
  isNestedFolderName,
  maxBlockNumber,
  nestedBlockPaths,
  parseBlockName,
} from './block-name.ts';
import { type EnteredFolder, enterFolder, enterRoot, listFolder } from './enter-folder.ts';
import { maxLevelsToBlocks, mayHoldBlocks } from './layout.ts';
import type { TellPassedOver } from './passed-over.ts';
import type { StreamBlockFile } from './stream-source.ts';
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts';

export type BlockFolders = {
  /** Looks for new files and, now and then, for new folders. */
  refresh(): Promise<void>;
  find(number: bigint): Promise<StreamBlockFile | null>;
  /** All that have this number, in the order in which they are taken: within a folder that of their names. */
  copies(number: bigint): Promise<StreamBlockFile[]>;
  /** The block with the lowest number from this one on. */
  findFrom(number: bigint): Promise<StreamBlockFile | null>;
  /** The block with the highest number. */
  findLast(): Promise<StreamBlockFile | null>;
  close(): void;
};

type Options = {
  live: boolean;
  onChange(): void;
  /** How often to look for folders while there are none. */
  pollMs: number;
  onPassedOver?: TellPassedOver;
};

/** Names of the blocks in a folder; `others`: of one that has several names, all but the first. */
type FlatFolder = { folder: WatchedFolder; names: Map<bigint, string>; others: Map<bigint, string[]> };

/** The folders that are known are listed for it, however many files they hold. */
const findMoreEveryMs = 30_000;

export function createBlockFolders(path: string, options: Options): BlockFolders {
  const { live, onChange, pollMs, onPassedOver = () => {} } = options;
  const flat = new Map<string, FlatFolder>();
  const nested = new Set<string>();
  let foundAtMs = Number.NEGATIVE_INFINITY;

  async function findFolders(): Promise<void> {
    const roots: Roots = { flat: [], nested: [] };
    await findBlockFolders(await enterRoot(path), maxLevelsToBlocks, roots, onPassedOver);
    for (const root of roots.flat) {
      if (flat.has(root)) continue;
      flat.set(root, { folder: createWatchedFolder(root, { live, onChange }), names: new Map(), others: new Map() });
    }
    for (const root of roots.nested) nested.add(root);
    foundAtMs = performance.now();
  }

  function addName(location: string, { names, others }: FlatFolder, name: string): void {
    const number = parseBlockName(name);
    if (number === null) return;
    if (number > maxBlockNumber) {
      onPassedOver({ path: join(location, name), reason: beyondBlockNumbers });
      return;
    }
    const known = names.get(number);
    if (known === undefined) names.set(number, name);
    // Two names of one block are rare: only then there is a list.
    if (known === undefined || known === name || others.get(number)?.includes(name)) return;
    const [first, ...more] = [known, name, ...(others.get(number) ?? [])].sort();
    names.set(number, first!);
    others.set(number, more);
    for (const other of more) tellSecond(join(location, other), number, first!);
  }

  function tellSecond(second: string, number: bigint, first: string): void {
    onPassedOver({
      path: second,
      reason: `block ${number} is there as ${first} too, which is taken unless it is refused`,
    });
  }

  async function nestedCopies(root: string, number: bigint): Promise<StreamBlockFile[]> {
    const paths = nestedBlockPaths(number).map((relative) => join(root, relative));
    const present = await Promise.all(paths.map(isPresent));
    const found = paths.filter((_path, index) => present[index]);
    for (const second of found.slice(1)) tellSecond(second, number, basename(found[0]!));
    return found.map((path) => ({ number, name: basename(path), location: join(path, '..') }));
  }

  async function copies(number: bigint): Promise<StreamBlockFile[]> {
    const found: StreamBlockFile[] = [];
    for (const [location, { names, others }] of flat) {
      const name = names.get(number);
      if (name === undefined) continue;
      for (const one of [name, ...(others.get(number) ?? [])]) found.push({ number, name: one, location });
    }
    for (const root of nested) found.push(...(await nestedCopies(root, number)));
    return found;
  }

  async function find(number: bigint): Promise<StreamBlockFile | null> {
    for (const [location, { names }] of flat) {
      const name = names.get(number);
      if (name !== undefined) return { number, name, location };
    }
    for (const root of nested) {
      const [first] = await nestedCopies(root, number);
      if (first) return first;
    }
    return null;
  }

  return {
    find,
    copies,
    async refresh() {
      const everyMs = flat.size + nested.size === 0 ? pollMs : findMoreEveryMs;
      if (performance.now() - foundAtMs >= everyMs) await findFolders();
      for (const [location, known] of flat) {
        for (const name of await known.folder.newNames()) addName(location, known, name);
      }
    },
    async findFrom(number) {
      let lowest: bigint | null = null;
      const consider = (found: bigint): void => {
        if (found >= number && (lowest === null || found < lowest)) lowest = found;
      };
      for (const { names } of flat.values()) for (const known of names.keys()) consider(known);
      for (const root of nested) {
        const found = await lowestNested(root, '', number, onPassedOver);
        if (found !== null) consider(found);
      }
      return lowest === null ? null : find(lowest);
    },
    async findLast() {
      let highest: bigint | null = null;
      const consider = (found: bigint): void => {
        if (highest === null || found > highest) highest = found;
      };
      for (const { names } of flat.values()) for (const known of names.keys()) consider(known);
      for (const root of nested) {
        const found = await highestNested(root, '', onPassedOver);
        if (found !== null) consider(found);
      }
      return highest === null ? null : find(highest);
    },
    close() {
      for (const { folder } of flat.values()) folder.close();
    },
  };
}

type Roots = { flat: string[]; nested: string[] };

async function findBlockFolders(
  folder: EnteredFolder,
  levels: number,
  roots: Roots,
  onPassedOver: TellPassedOver,
): Promise<void> {
  const entries = await listFolder(folder.path);
  if (entries.some((entry) => !entry.isDirectory() && parseBlockName(entry.name) !== null)) {
    roots.flat.push(folder.path);
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
  if (isNested) roots.nested.push(folder.path);
  if (isNested || levels === 0) return;
  for (const child of below) await findBlockFolders(child, levels - 1, roots, onPassedOver);
}

/** The lowest number from `from` on below a nested layout's folder; `digits` is what the folders above say. */
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

/** What a folder of a nested layout holds, by number; `path` of a folder. */
async function listNested(
  folder: string,
  digits: string,
  onPassedOver: TellPassedOver,
): Promise<{ all: string; path: string | null }[]> {
  const found: { all: string; path: string | null }[] = [];
  const entries = (await listFolder(folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isNestedFolderName(entry.name)) {
      // Nothing in this layout is a link but by hand.
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

async function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
