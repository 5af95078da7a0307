// Blocks from before what a database holds, which an export brought for the sake of the chain.

import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from '../read/select-one.ts';
import { expression, type RowOf, selectAll } from '../read/statement/columns.ts';

const surplusBlocks = selectAll(
  expression('count', 'int4', 'count(*)::int4'),
  expression('last', 'int8', '(select index from record_file order by consensus_end desc limit 1)').nullable(),
);

const isSurplus = `consensus_end < (select kept_from from mirror_extent)
  and consensus_end < (select max(consensus_end) from record_file)`;

/** `last`: number of the newest block of all. */
export type SurplusBlocks = RowOf<typeof surplusBlocks>;

export async function countSurplusBlocks(db: Database): Promise<SurplusBlocks> {
  const from = `from record_file where ${isSurplus}`;
  return (await selectOne(db, { name: 'count-surplus-blocks', select: surplusBlocks, from }))!;
}

export async function deleteSurplusBlocks(db: Database): Promise<void> {
  await db.query({ name: 'delete-surplus-blocks', text: `delete from record_file where ${isSurplus}` });
}
