// Custom fees that transactions had to pay.
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectQuery } from './statement/columns.ts';

export type AssessedFeeRow = RowOf<typeof assessedFee>;

const assessedFee = columns('assessed_custom_fee', [
  'amount',
  'collector_account_id',
  'consensus_timestamp',
  'effective_payer_account_ids',
  'token_id',
]);

/** Of all these transactions, by collector and amount. */
export function selectAssessedFees(db: Database, consensusTimestamps: readonly bigint[]): Promise<AssessedFeeRow[]> {
  return db.query(
    selectQuery({
      name: 'select-assessed-fees',
      select: assessedFee,
      from: `from assessed_custom_fee where consensus_timestamp = any($1)
order by collector_account_id, amount`,
      values: [consensusTimestamps],
    }),
  );
}
