// Takes the roots of the blocks around record files from the database, for the import that goes on with them.
import { type StoredBlock, selectWrappedRoots } from '../store/read/import-state.ts';
import type { Database } from '../store/wire/database.ts';
import { createWrappedChain, type WrappedChain } from './open/wrapped-chain.ts';

/** More of them are not read at each start: the first block of a block stream is then taken without this check. */
const maxBlocks = 2_000_000n;

export async function loadWrappedChain(
  db: Database,
  last: Pick<StoredBlock, 'index' | 'version'> | null,
): Promise<WrappedChain> {
  const isWithinReach = last === null || (last.version < 7 && last.index < maxBlocks);
  return createWrappedChain(isWithinReach ? readRoots(db, last?.index ?? -1n) : null);
}

const rootsAtATime = 20_000n;

async function* readRoots(db: Database, lastIndex: bigint): AsyncGenerator<Buffer> {
  for (let from = 0n; from <= lastIndex; from += rootsAtATime) {
    const rows = await selectWrappedRoots(db, from, from + rootsAtATime);
    for (const [offset, { index, root }] of rows.entries()) {
      // A hole: the number of the next block then differs from the number of roots, and the chain gives up.
      if (root === null || index !== from + BigInt(offset)) return;
      yield root;
    }
  }
}
