// The tree over the roots of all blocks goes on without the blocks: it is kept, and those that only it needed are
// dropped.

import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { countSurplusBlocks, deleteSurplusBlocks } from '../../../packages/store/transfer/cut-blocks.ts';
import { keepWrappedTree } from '../../importer/extent/keep-wrapped-tree.ts';

/** May be repeated. */
export async function dropSurplusBlocks(connectionString: string): Promise<void> {
  const db = openDatabase({ connectionString, maxConnections: 1, statementTimeoutMs: 0 });
  try {
    const { count, last } = await countSurplusBlocks(db);
    if (count === 0 || last === null) return;
    // The root of the last block is read with its row.
    if (last > 0n) await keepWrappedTree(db, last - 1n);
    await deleteSurplusBlocks(db);
  } finally {
    await db.close();
  }
}
