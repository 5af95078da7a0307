import type { Database } from '../wire/database.ts';

/** Adds the tree over the roots of the first blocks. */
export async function insertWrappedTree(db: Database, tree: { leafCount: bigint; hashes: Buffer }): Promise<void> {
  await db.query({
    name: 'insert-wrapped-tree',
    text: 'insert into wrapped_block_tree (leaf_count, hashes) values ($1, $2) on conflict do nothing',
    values: [tree.leafCount, tree.hashes],
  });
}
