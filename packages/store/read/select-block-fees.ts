// What the transactions of a block were charged. Reads each of them by the key of the table.
import type { Database } from '../../postgres/wire/database.ts';
import { expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/** `transactions`: how many are stored. */
export type BlockFees = RowOf<typeof blockFees>;

const blockFees = selectAll(
  expression('transactions', 'int8', 'count(*)'),
  expression('fees', 'int8', 'least(coalesce(sum(charged_tx_fee), 0), 9223372036854775807)::int8'),
);

/** Consensus times of its first and its last transaction, ns. */
export async function selectBlockFees(
  db: Database,
  { consensusStart, consensusEnd }: { consensusStart: bigint; consensusEnd: bigint },
): Promise<BlockFees> {
  const [found] = await db.query(
    selectQuery({
      name: 'select-block-fees',
      select: blockFees,
      from: 'from transaction where consensus_timestamp >= $1 and consensus_timestamp <= $2',
      values: [consensusStart, consensusEnd],
    }),
  );
  return found!;
}
