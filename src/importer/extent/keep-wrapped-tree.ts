import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectWrappedTree } from '../../../packages/store/read/import-state.ts';
import { replaceWrappedTrees } from '../../../packages/store/write/replace-wrapped-trees.ts';
import { readWrappedRoots } from '../open/load-wrapped-chain.ts';
import { createWrappedChain } from '../open/wrapped-chain.ts';

/** Keeps the tree over the roots of the blocks up to `last`, so that the chain continues without these blocks. */
export async function keepWrappedTree(db: Database, last: bigint): Promise<void> {
  const leafCount = last + 1n;
  const begun = await selectWrappedTree(db, leafCount + 1n);
  if (begun?.leafCount === leafCount) return;
  const roots = readWrappedRoots(db, begun?.leafCount ?? 0n, last);
  const chain = await createWrappedChain({ roots, begun, keptEvery: leafCount });
  // If roots are missing, because the mirror began later, there is no tree to keep.
  for (const tree of chain.takeReached()) await replaceWrappedTrees(db, tree);
}
