// Blocks of a block stream that no signature of the network is known to cover.
import type { Database } from '../wire/database.ts';
import { canRead, selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

const unverified = selectAll(
  expression('blocks', 'int8', 'count(*)'),
  expression('stored', 'int8', '(select count(*) from record_file)'),
);
const firstUnverified = selectAll(expression('number', 'int8', 'r.index'));

/** Blocks that no signature covers, and all blocks; counts the whole table. */
export async function countUnverifiedBlocks(db: Database): Promise<RowOf<typeof unverified> | null> {
  if (!(await canRead(db, 'block_verification'))) return null;
  return selectOne(db, {
    name: 'count-unverified-blocks',
    select: unverified,
    from: 'from block_verification where rests_on is null',
  });
}

/** Number of the first block that no signature covers; null without one. */
export async function selectFirstUnverifiedBlock(db: Database): Promise<bigint | null> {
  if (!(await canRead(db, 'block_verification'))) return null;
  const found = await selectOne(db, {
    name: 'select-first-unverified-block',
    select: firstUnverified,
    from: `from block_verification v join record_file r on r.consensus_end = v.consensus_end
where v.rests_on is null order by v.consensus_end limit 1`,
  });
  return found?.number ?? null;
}
