// Loads the roots of the blocks around record files for the import that continues them: the newest stored tree, and the
// roots after it.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type StoredBlock, selectWrappedRoots, selectWrappedTree } from '../../../packages/store/read/import-state.ts';
import { createWrappedChain, type WrappedChain } from './wrapped-chain.ts';

export async function loadWrappedChain(
  db: Database,
  last: Pick<StoredBlock, 'index' | 'version'> | null,
): Promise<WrappedChain> {
  if (last && last.version >= 7) return createWrappedChain({ roots: null });
  // At least one root comes after the tree: the last one is needed separately.
  const begun = last && (await selectWrappedTree(db, last.index + 1n));
  return createWrappedChain({ roots: readWrappedRoots(db, begun?.leafCount ?? 0n, last?.index ?? -1n), begun });
}

const rootsAtATime = 20_000n;

/** Roots of the blocks from `first` on, up to the first gap. */
export async function* readWrappedRoots(db: Database, first: bigint, lastIndex: bigint): AsyncGenerator<Buffer> {
  for (let from = first; from <= lastIndex; from += rootsAtATime) {
    const end = from + rootsAtATime;
    const rows = await selectWrappedRoots(db, from, end > lastIndex ? lastIndex + 1n : end);
    for (const [offset, { index, root }] of rows.entries()) {
      // A gap: the number of the next block then differs from the number of roots, and the chain becomes unknown.
      if (root === null || index !== from + BigInt(offset)) return;
      yield root;
    }
  }
}
