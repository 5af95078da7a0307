// Proofs of blocks that could not be verified when the blocks were stored.
import type { Database } from '../wire/database.ts';
import { canRead, selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

const unverifiedProofs = selectAll(
  expression('blocks', 'int8', 'count(distinct consensus_end)'),
  expression('stored', 'int8', '(select count(*) from record_file)'),
);
const firstUnverified = selectAll(expression('number', 'int8', 'r.index'));

/** Blocks with an unverified proof, and all blocks; counts the whole table. */
export async function countUnverifiedBlocks(db: Database): Promise<RowOf<typeof unverifiedProofs> | null> {
  if (!(await canRead(db, 'block_proof'))) return null;
  return selectOne(db, {
    name: 'count-unverified-blocks',
    select: unverifiedProofs,
    from: 'from block_proof where not verified',
  });
}

/** Number of the first block with an unverified proof; null without one. */
export async function selectFirstUnverifiedBlock(db: Database): Promise<bigint | null> {
  if (!(await canRead(db, 'block_proof'))) return null;
  const found = await selectOne(db, {
    name: 'select-first-unverified-block',
    select: firstUnverified,
    from: `from block_proof p join record_file r on r.consensus_end = p.consensus_end
where not p.verified order by p.consensus_end limit 1`,
  });
  return found?.number ?? null;
}
