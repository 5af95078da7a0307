import type { Database } from '../../postgres/wire/database.ts';

/** Adds the tree over the roots of the first blocks, and drops smaller ones: later blocks are about to be dropped. */
export async function replaceWrappedTrees(db: Database, tree: { leafCount: bigint; hashes: Buffer }): Promise<void> {
  await db.query({
    name: 'replace-wrapped-trees',
    text: `with gone as (delete from wrapped_block_tree where leaf_count < $1)
insert into wrapped_block_tree (leaf_count, hashes) values ($1, $2) on conflict do nothing`,
    values: [tree.leafCount, tree.hashes],
  });
}
