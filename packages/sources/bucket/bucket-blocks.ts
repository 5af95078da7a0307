// The blocks of a bucket, by number. Their names sort by number, so that one listing finds a block, the next thousand,
// and whether the block exists at all.
import {
  beyondBlockNumbers,
  isNestedFolderName,
  maxBlockNumber,
  nestedBlockPath,
  parseBlockName,
  secondCopy,
} from '../block-name.ts';
import type { TellPassedOver } from '../passed-over.ts';
import type { StreamBlockFile } from '../stream-source.ts';
import type { AskedStore } from './ask-again.ts';
import { type BlockRoot, behindFolder } from './find-places.ts';

type ListedBlock = StreamBlockFile & { sizeBytes: number };

export type BucketBlocks = ReturnType<typeof createBucketBlocks>;

export type BucketBlocksOptions = {
  store: AskedStore;
  /** Where they lie, as far as known. */
  root(): BlockRoot | null;
  /** How long a missing block is not looked for again. */
  freshMs: number;
  onPassedOver?: TellPassedOver;
  signal?: AbortSignal | undefined;
};

export function createBucketBlocks(options: BucketBlocksOptions) {
  const { store, root, freshMs, onPassedOver = () => {} } = options;
  /** Blocks of the last listing, in order of number. */
  let known = new Map<bigint, ListedBlock>();
  /** Of blocks that it lists several times, all but the first. */
  let others = new Map<bigint, ListedBlock[]>();
  /** The last listing: its first and last number, whether nothing followed it, when it was made. */
  let listed: { from: bigint; to: bigint; isLast: boolean; atMs: number } | null = null;

  async function listFrom(number: bigint, signal = options.signal) {
    const place = root();
    if (!place) return null;
    const after = place.path + blockPath(place, number);
    const page = await store.list({ prefix: place.path, after, folders: place.digits !== null }, signal);
    known = new Map();
    others = new Map();
    for (const { key, sizeBytes } of page.objects) {
      const found = parseBlockPath(place, key.slice(place.path.length));
      if (found === null) continue;
      if (found > maxBlockNumber) {
        onPassedOver({ path: `${store.name}/${key}`, reason: beyondBlockNumbers });
        continue;
      }
      const slash = key.lastIndexOf('/');
      const location = `${store.name}/${key.slice(0, Math.max(slash, 0))}`;
      const block = { number: found, name: key.slice(slash + 1), location, sizeBytes };
      const first = known.get(found);
      if (first) {
        others.set(found, [...(others.get(found) ?? []), block]);
        onPassedOver(secondCopy(`${store.name}/${key}`, found, first.name));
      } else known.set(found, block);
    }
    const to = [...known.keys()].at(-1) ?? number - 1n;
    listed = { from: number, to, isLast: !page.hasMore, atMs: performance.now() };
    return listed;
  }

  /** Lists from this number on, unless the last listing covers it. */
  async function cover(number: bigint, signal?: AbortSignal): Promise<void> {
    if (known.has(number)) return;
    const isCovered = listed && number >= listed.from && (listed.isLast || number <= listed.to);
    if (!isCovered || performance.now() - listed!.atMs >= freshMs) await listFrom(number, signal);
  }

  /**
   * In a flat folder, finds the page with the last block without listing all before it: doubling the number, then
   * bisecting.
   */
  async function listLast(digits: number): Promise<void> {
    const first = await listFrom(0n);
    if (!first || first.isLast) return;
    /** There is a block from `from` on, and none from `end` on. */
    let [from, end] = [first.to, 10n ** BigInt(digits)];
    for (let step = blocksOfPage; end - from > 1n; step *= 2n) {
      const middle = (from + end) / 2n;
      const number = from + step < middle ? from + step : middle;
      const page = await listFrom(number);
      if (known.size === 0) end = number;
      // With names that do not sort by number the search fails.
      else if (!page || page.isLast || page.to <= from) return;
      else from = page.to;
    }
    await listFrom(from);
  }

  return {
    async find(number: bigint, signal?: AbortSignal): Promise<StreamBlockFile | null> {
      await cover(number, signal);
      return known.get(number) ?? null;
    },
    /** All that have this number, in the order of their names. */
    async copies(number: bigint): Promise<StreamBlockFile[]> {
      await cover(number);
      const first = known.get(number);
      return first ? [first, ...(others.get(number) ?? [])] : [];
    },
    async findFrom(number: bigint): Promise<StreamBlockFile | null> {
      await cover(number);
      for (const [found, block] of known) if (found >= number) return block;
      return null;
    },
    async findLast(): Promise<StreamBlockFile | null> {
      const place = root();
      if (!place) return null;
      if (place.digits === null) {
        let page = await listFrom(await lastFolder(store, place.path, options.signal));
        while (page && !page.isLast) page = await listFrom(page.to + 1n);
      } else await listLast(place.digits);
      return [...known.values()].at(-1) ?? null;
    },
    /** Known blocks from this number on, up to the first gap. */
    following(number: bigint, count: number): ListedBlock[] {
      const blocks: ListedBlock[] = [];
      for (let next = known.get(number); next && blocks.length < count; next = known.get(next.number + 1n))
        blocks.push(next);
      return blocks;
    },
  };
}

const blocksOfPage = 1_000n;

/** The beginning of a block's name; sorts before the name. */
function blockPath({ digits }: BlockRoot, number: bigint): string {
  return digits === null ? nestedBlockPath(number) : number.toString().padStart(digits, '0');
}

function parseBlockPath({ digits }: BlockRoot, path: string): bigint | null {
  if (digits !== null) return parseBlockName(path);
  return /^(\d{4}\/){4}\d{3}\.blk/.test(path) ? parseBlockName(path.replaceAll('/', '')) : null;
}

/** The first number of the last folder that has blocks. */
async function lastFolder(store: AskedStore, root: string, signal: AbortSignal | undefined): Promise<bigint> {
  let digits = '';
  let path = root;
  for (let last: string | undefined; ; path += `${last}/`) {
    last = undefined;
    for (let after: string | null = null; ; ) {
      const page = await store.list({ prefix: path, after, folders: true }, signal);
      const folders = page.folders.map((folder) => folder.slice(path.length, -1)).filter(isNestedFolderName);
      last = folders.at(-1) ?? last;
      if (!page.hasMore || page.folders.length === 0) break;
      after = behindFolder(page.folders.at(-1)!);
    }
    if (last === undefined) return BigInt(digits.padEnd(19, '0'));
    digits += last;
  }
}
