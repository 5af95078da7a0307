// What becomes of the rows of each table when the past before a moment is dropped. What stays answers every question about
// the moment and later as before (docs/reference/partial-mirror.md).
import type { Table } from '../schema/table.ts';
import { type ColumnName, type TableName, tables } from '../schema/tables.ts';

type InsertTable = { [T in TableName]: (typeof tables)[T]['kind'] extends 'insert' ? T : never }[TableName];

type Rule<T extends TableName> =
  /** Rows of single moments, which go with their block; by the column that says when. */
  | { moment: ColumnName<T> }
  /** Rows that hold until the next one with the same columns: the newest before the moment stays. */
  | { changeOf: readonly ColumnName<T>[] }
  /** Snapshots: of the newest before the moment everything stays that it says, wherever in its month that was written. */
  | { snapshotOf: readonly ColumnName<T>[] }
  /** The row-dropper has a statement for it. */
  | 'own rule'
  /** State, and facts that are few and needed whenever they were made: of nodes, stakes, signatures of schedules. */
  | 'stays';

const time = { moment: 'consensus_timestamp' } as const;
const blockEnd = { moment: 'consensus_end' } as const;

const rules: { [T in InsertTable]: Rule<T> } = {
  account_balance: { snapshotOf: ['account_id'] },
  account_balance_file: 'own rule',
  address_book_entry: 'stays',
  address_book_service_endpoint: 'stays',
  assessed_custom_fee: time,
  block_proof: blockEnd,
  block_root_forms: blockEnd,
  contract_action: time,
  contract_log: time,
  contract_result: time,
  contract_state_change: { changeOf: ['contract_id', 'slot'] },
  contract_transaction: time,
  contract_transaction_hash: time,
  crypto_transfer: time,
  entity_transaction: time,
  ethereum_transaction: time,
  file_data: 'own rule',
  hook_storage_change: { changeOf: ['owner_id', 'hook_id', 'key'] },
  network_freeze: time,
  network_stake: 'stays',
  node_stake: 'stays',
  prng: time,
  record_file: blockEnd,
  sidecar_file: blockEnd,
  staking_reward_transfer: time,
  token_balance: { snapshotOf: ['account_id', 'token_id'] },
  token_transfer: time,
  topic_message: time,
  transaction: time,
  transaction_hash: time,
  transaction_signature: 'stays',
};

type AnyRule = Exclude<Rule<TableName>, string>;
type TablesWith<T> = readonly (readonly [table: string, part: T])[];

/** Name and column that says when. */
export const momentTables = select<string>((rule) => ('moment' in rule ? rule.moment : undefined));

/** Name and columns that rows replace each other by. */
export const changeTables = select<readonly string[]>((rule) => ('changeOf' in rule ? rule.changeOf : undefined));

export const snapshotTables = select<readonly string[]>((rule) => ('snapshotOf' in rule ? rule.snapshotOf : undefined));

/** Versions that ended before the moment go. Those of `entity_stake` stay for the rewards that are forfeited after a year. */
export const historyTables: readonly string[] = Object.entries(tables)
  .filter(([name, table]) => (table as Table).kind === 'versioned' && name !== 'entity_stake')
  .map(([name]) => `${name}_history`);

function select<T>(pick: (rule: AnyRule) => T | undefined): TablesWith<T> {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const part = typeof rule === 'string' ? undefined : pick(rule as AnyRule);
    return part === undefined ? [] : [[name, part] as const];
  });
}
