// Before the blocks around record files are dropped, the tree over their roots is kept: with it the chain goes on as if they
// were there.
import { selectWrappedTree } from '../../store/read/import-state.ts';
import type { Database } from '../../store/wire/database.ts';
import { replaceWrappedTrees } from '../../store/write/replace-wrapped-trees.ts';
import { readWrappedRoots } from '../open/load-wrapped-chain.ts';
import { createWrappedChain } from '../open/wrapped-chain.ts';

/** @param last number of the last block that the tree is to cover */
export async function keepWrappedTree(db: Database, last: bigint): Promise<void> {
  const leafCount = last + 1n;
  const begun = await selectWrappedTree(db, leafCount + 1n);
  if (begun?.leafCount === leafCount) return;
  const roots = readWrappedRoots(db, begun?.leafCount ?? 0n, last);
  const chain = await createWrappedChain({ roots, begun, keptEvery: leafCount });
  // Where roots are missing, because the mirror began later, there is no tree to keep.
  for (const tree of chain.takeReached()) await replaceWrappedTrees(db, tree);
}
