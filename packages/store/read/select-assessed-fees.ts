// Custom fees that transactions had to pay: of a transaction within the statement that reads it, or of several by
// themselves.

import { compareBigints } from '../../kit/compare-bigints.ts';
import type { Database } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { columns, expression, type RowOf, selectQuery } from './statement/columns.ts';

export type AssessedFeeRow = RowOf<typeof assessedFee>;

const feeColumns = ['amount', 'collector_account_id', 'effective_payer_account_ids', 'token_id'] as const;
const assessedFee = columns('assessed_custom_fee', feeColumns);
const timedFee = columns('assessed_custom_fee', ['consensus_timestamp', ...feeColumns]);

/** Of all these transactions, by collector and amount. */
export function selectAssessedFees(db: Database, consensusTimestamps: readonly bigint[]) {
  return db.query(
    selectQuery({
      name: 'select-assessed-fees',
      select: timedFee,
      from: `from assessed_custom_fee where consensus_timestamp = any($1)
order by collector_account_id, amount`,
      values: [consensusTimestamps],
    }),
  );
}

/**
 * Of the transaction `alias`, each as JSON; `toAssessedFees` reads it. An array needs no aggregate, which PostgreSQL
 * would set up for every transaction. `bounds`: further conditions on `f`, by which partitions are left out.
 */
export function assessedFeesOf(alias: string, bounds = '') {
  return expression(
    'stored_fees',
    'bytea[]',
    `array(
    select convert_to(json_build_array(${feeColumns.map((name) => `f.${name}`).join(', ')})::text, 'UTF8')
    from assessed_custom_fee f where f.consensus_timestamp = ${alias}.consensus_timestamp${bounds}
  )`,
  );
}

/** By collector and amount. The row is changed. */
export function toAssessedFees<Row extends { storedFees: readonly Buffer[] }>(row: Row) {
  const assessedFees = row.storedFees.map(toFee);
  assessedFees.sort(
    (one, other) =>
      compareBigints(one.collectorAccountId, other.collectorAccountId) || compareBigints(one.amount, other.amount),
  );
  return Object.assign(row, { assessedFees });
}

function toFee(stored: Buffer): AssessedFeeRow {
  const [amount, collectorAccountId, payers, tokenId] = parseExactJson(stored.toString()) as JsonValue[];
  return {
    amount: amount as bigint,
    collectorAccountId: collectorAccountId as bigint,
    effectivePayerAccountIds: payers as bigint[] | null,
    tokenId: tokenId as bigint | null,
  };
}
