// The block files of a folder, in flat folders and in nested ones, by number. A flat folder is listed once and then
// followed; in a nested one a block is looked for where it must be, since it may hold millions.
import { access, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isNestedFolderName, nestedBlockPaths, parseBlockName } from './block-name.ts';
import { maxLevelsToBlocks, mayHoldBlocks } from './layout.ts';
import type { StreamBlockFile } from './stream-source.ts';
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts';

export type BlockFolders = {
  /** Looks for new files and, now and then, for new folders. */
  refresh(): Promise<void>;
  find(number: bigint): Promise<StreamBlockFile | null>;
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
};

/** The folders that are known are listed for it, however many files they hold. */
const findMoreEveryMs = 30_000;

export function createBlockFolders(path: string, { live, onChange, pollMs }: Options): BlockFolders {
  const flat = new Map<string, { folder: WatchedFolder; names: Map<bigint, string> }>();
  const nested = new Set<string>();
  let foundAtMs = Number.NEGATIVE_INFINITY;

  async function findFolders(): Promise<void> {
    const roots = await findBlockFolders(path, maxLevelsToBlocks);
    for (const root of roots.flat) {
      if (!flat.has(root)) flat.set(root, { folder: createWatchedFolder(root, { live, onChange }), names: new Map() });
    }
    for (const root of roots.nested) nested.add(root);
    foundAtMs = performance.now();
  }

  async function find(number: bigint): Promise<StreamBlockFile | null> {
    for (const [location, { names }] of flat) {
      const name = names.get(number);
      if (name !== undefined) return { number, name, location };
    }
    for (const root of nested) {
      for (const relative of nestedBlockPaths(number)) {
        if (await isPresent(join(root, relative))) {
          return { number, name: basename(relative), location: join(root, relative, '..') };
        }
      }
    }
    return null;
  }

  return {
    find,
    async refresh() {
      const everyMs = flat.size + nested.size === 0 ? pollMs : findMoreEveryMs;
      if (performance.now() - foundAtMs >= everyMs) await findFolders();
      for (const { folder, names } of flat.values()) {
        for (const name of await folder.newNames()) {
          const number = parseBlockName(name);
          if (number !== null) names.set(number, name);
        }
      }
    },
    async findFrom(number) {
      let lowest: bigint | null = null;
      const consider = (found: bigint): void => {
        if (found >= number && (lowest === null || found < lowest)) lowest = found;
      };
      for (const { names } of flat.values()) for (const known of names.keys()) consider(known);
      for (const root of nested) {
        const found = await lowestNested(root, '', number);
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
        const found = await highestNested(root, '');
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

async function findBlockFolders(path: string, levels: number): Promise<Roots> {
  const roots: Roots = { flat: [], nested: [] };
  const entries = await list(path);
  if (entries.some((entry) => !entry.isDirectory() && parseBlockName(entry.name) !== null)) roots.flat.push(path);
  const folders = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  if (folders.some(isNestedFolderName)) {
    roots.nested.push(path);
    return roots;
  }
  if (levels === 0) return roots;
  for (const name of folders) {
    if (!mayHoldBlocks(name)) continue;
    const below = await findBlockFolders(join(path, name), levels - 1);
    roots.flat.push(...below.flat);
    roots.nested.push(...below.nested);
  }
  return roots;
}

/** The lowest number from `from` on below a nested layout's folder; `digits` is what the folders above say. */
async function lowestNested(folder: string, digits: string, from: bigint): Promise<bigint | null> {
  for (const { all, path } of await listNested(folder, digits)) {
    // The highest number that can be below this name.
    if (BigInt(all.padEnd(19, '9')) < from) continue;
    const found = path === null ? BigInt(all) : await lowestNested(path, all, from);
    if (found !== null && found >= from) return found;
  }
  return null;
}

async function highestNested(folder: string, digits: string): Promise<bigint | null> {
  for (const { all, path } of (await listNested(folder, digits)).reverse()) {
    const found = path === null ? BigInt(all) : await highestNested(path, all);
    if (found !== null) return found;
  }
  return null;
}

/** What a folder of a nested layout holds, by number; `path` of a folder. */
async function listNested(folder: string, digits: string): Promise<{ all: string; path: string | null }[]> {
  const names = (await list(folder)).map(({ name }) => name).sort();
  return names.flatMap((name) => {
    const isFolder = isNestedFolderName(name);
    const all = digits + (isFolder ? name : (/^(\d{3})\.blk/.exec(name)?.[1] ?? ''));
    return all === digits ? [] : [{ all, path: isFolder ? join(folder, name) : null }];
  });
}

async function list(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Folders come and go while a network writes; a symbolic link may lead to a file.
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

async function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
