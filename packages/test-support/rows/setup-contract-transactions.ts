// Rows that follow from others of the setup: parties of executions, and their hashes.
import type { JsonValue } from '../../postgres/wire/values.ts';
import type { SetupRow } from './setup-row.ts';

/**
 * One contract_transaction row for each party of each execution (payer, contracts of result, logs and state changes),
 * and one contract_transaction_hash row for each result.
 */
export function toContractTransactions(rows: readonly SetupRow[]): SetupRow[] {
  const executions = new Map<string, { payer: unknown; contracts: Set<unknown> }>();
  const hashes: SetupRow[] = [];
  for (const { table, row } of rows) {
    if (!executionTables.has(table)) continue;
    const key = String(row.consensus_timestamp as JsonValue);
    const execution = executions.get(key) ?? { payer: row.payer_account_id, contracts: new Set() };
    executions.set(key, execution);
    if (table === 'contract_result') execution.payer = row.payer_account_id;
    execution.contracts.add(row.contract_id);
    if (table === 'contract_result' && row.transaction_hash) hashes.push(toHashRow(row));
  }
  const parties = [...executions].flatMap(([consensus_timestamp, { payer, contracts }]) => {
    const contract_ids = [...contracts];
    return [...new Set([...contract_ids, payer])].map((entity_id) => ({
      table: 'contract_transaction',
      row: { consensus_timestamp, contract_ids, entity_id, payer_account_id: payer },
    }));
  });
  return [...parties, ...hashes];
}

const executionTables = new Set(['contract_result', 'contract_log', 'contract_state_change']);

function toHashRow(row: Record<string, unknown>): SetupRow {
  return {
    table: 'contract_transaction_hash',
    row: {
      consensus_timestamp: row.consensus_timestamp,
      entity_id: row.contract_id,
      hash: row.transaction_hash,
      payer_account_id: row.payer_account_id,
      transaction_result: row.transaction_result,
    },
  };
}
