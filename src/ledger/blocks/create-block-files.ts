// What is stored of blocks as they came: which numbers, and the files that were kept.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { canRead } from '../../../packages/store/read/select-one.ts';
import { type StoredUnit, selectUnitsNamed } from '../../../packages/store/read/select-proof-parts.ts';
import {
  selectBlocksAfter,
  selectKeptPart,
  selectKeptPlaces,
  selectOutermostNumber,
} from '../../../packages/store/read/select-served-blocks.ts';
import { rootOf } from '../proofs/find-path.ts';

/**
 * `isKept`: its file is. Without that it is a block of the stream, or a record file of which the root of a block around
 * it is known.
 */
export type BlockNumber = { number: bigint; hasRoot: boolean; isKept: boolean };

/** `root`: of the block, in one of its forms. */
export type StoredBlock = Pick<StoredUnit, 'number' | 'consensusEnd'> & { root: Buffer; isKept: boolean };

const partBytes = 1024 * 1024;
const placeOfSignatures = 1;

export function createBlockFiles({ db }: { db: Database }) {
  let hasKept: boolean | null = null;
  const readsKept = async (): Promise<boolean> => {
    hasKept ??= await canRead(db, 'kept_stream_file');
    return hasKept;
  };

  /** Consensus ends of those that were kept as blocks. */
  async function keptBlocks(from: bigint, to: bigint): Promise<ReadonlySet<bigint>> {
    const kept = (await readsKept()) ? await selectKeptPlaces(db, from, to) : [];
    const ends = new Set(kept.map(({ consensusEnd }) => consensusEnd));
    for (const { consensusEnd, place } of kept) if (place === placeOfSignatures) ends.delete(consensusEnd);
    return ends;
  }

  return {
    /** In order. */
    async numbersAfter(after: bigint, limit: number): Promise<BlockNumber[]> {
      const blocks = await selectBlocksAfter(db, after, limit);
      const [first, last] = [blocks[0], blocks.at(-1)];
      if (!first || !last) return [];
      const ends = await keptBlocks(first.consensusEnd, last.consensusEnd);
      return blocks.map(({ number, consensusEnd, hasRoot }) => ({ number, hasRoot, isKept: ends.has(consensusEnd) }));
    },
    /** null = nothing is stored. */
    outermost: (which: 'first' | 'last') => selectOutermostNumber(db, which),
    /** null without such a block, or where several have that number. */
    async find(number: bigint): Promise<StoredBlock | null> {
      const [unit, other] = await selectUnitsNamed(db, { number });
      if (!unit || other) return null;
      const { consensusEnd } = unit;
      const root = rootOf(unit);
      return root && { number, consensusEnd, root, isKept: (await keptBlocks(consensusEnd, consensusEnd)).size > 0 };
    },
    /** The kept file, compressed; nothing where there is none. */
    async *keptParts({ consensusEnd }: Pick<StoredBlock, 'consensusEnd'>): AsyncGenerator<Buffer> {
      for (let from = 1; ; from += partBytes) {
        const part = await selectKeptPart(db, consensusEnd, from, partBytes);
        if (part && part.length > 0) yield part;
        if (!part || part.length < partBytes) return;
      }
    },
  };
}

export type BlockFiles = ReturnType<typeof createBlockFiles>;
