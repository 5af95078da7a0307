// Compares the rows of a table with those that the oracle expects.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type TableName, tables } from '../../../packages/schema/tables.ts';
import { parseExact } from '../read/parse-exact.ts';
import { type ExpectedTables, toComparable } from './expected-tables.ts';

/** Tables not written by transactions, or by SQL alone; they have separate tests. */
const notCompared: Record<string, string> = {
  account_balance: 'snapshots, made by SQL',
  account_balance_file: 'snapshots, made by SQL',
  token_balance: 'snapshots, made by SQL',
  entity_stake: 'pending rewards, made by SQL',
  entity_transaction: 'not filled',
  address_book: 'the book that the import starts with',
  address_book_entry: 'the book that the import starts with',
  address_book_service_endpoint: 'the book that the import starts with',
  block_proof: 'of blocks of a block stream',
  block_verification: 'of blocks of a block stream',
  ledger_trust: 'of blocks of a block stream',
  ledger_key: 'of blocks of a block stream',
  former_ledger: 'of a network that changes its ledger id',
  unread_publication: 'of a network that this version does not know',
  import_doubt: 'of blocks that say something doubtful',
  block_root_forms: 'of blocks of a block stream',
  block_path: 'of blocks of a block stream',
  block_history_node: 'of the chain of blocks',
  kept_stream_file: 'files, not of transactions',
  ledger_day: 'counted by SQL',
  ledger_day_type: 'counted by SQL',
  ledger_day_payer: 'counted by SQL',
  ledger_day_fill: 'days that are not counted yet',
  sidecar_file: 'of files, not of transactions',
  wrapped_block_tree: 'of the chain of blocks',
};

/** Columns that are not compared, and why. */
const leftOut: Partial<Record<string, Record<string, string>>> = {
  transaction: { packed_transfers: 'a copy of the transfers' },
  record_file: Object.fromEntries(
    Object.keys(tables.record_file.columns)
      .filter((name) => !recordFileColumns().includes(name))
      .map((name) => [name, 'of the file, not of its transactions']),
  ),
  // Values counted without a new version are in the version that was the newest when the block was written.
  entity_history: { balance: 'adjusted', balance_timestamp: 'adjusted', ethereum_nonce: 'adjusted' },
  token_history: { total_supply: 'adjusted' },
  token_account_history: { balance: 'adjusted', balance_timestamp: 'adjusted' },
  crypto_allowance_history: { amount: 'adjusted' },
  token_allowance_history: { amount: 'adjusted' },
};

function recordFileColumns(): string[] {
  return 'consensus_start consensus_end count gas_used hash index logs_bloom name prev_hash'.split(' ');
}

const described = tables as Record<TableName, { kind: string; columns: object }>;

export const comparedTables: string[] = (Object.keys(described) as TableName[])
  .filter((table) => !notCompared[table])
  .flatMap((table) => (described[table].kind === 'versioned' ? [table, `${table}_history`] : [table]));

const shownRows = 3;

export async function compareTable(
  db: Database,
  expected: ExpectedTables,
  table: string,
  shown = shownRows,
): Promise<{ onlyStored: string[]; onlyExpected: string[]; count: number }> {
  const described = tables[(table.endsWith('_history') ? table.slice(0, -'_history'.length) : table) as TableName];
  const columns = Object.keys(described.columns).filter((name) => !leftOut[table]?.[name]);
  const rows = await db.query<{ row: string }>({
    name: `all-of-${table}`,
    text: `select row_to_json(t)::text as row from (select ${columns.map((name) => `"${name}"`).join(', ')} from ${table}) t`,
  });
  const stored = rows.map(({ row }) => toText(parseExact(row), columns));
  const wanted = expected.rows(table).map((row) => toText(toComparable(row) as Record<string, unknown>, columns));
  return {
    onlyStored: without(stored, wanted).slice(0, shown),
    onlyExpected: without(wanted, stored).slice(0, shown),
    count: stored.length,
  };
}

function toText(row: Record<string, unknown>, columns: readonly string[]): string {
  const lines = columns.map((name) => `${name}: ${JSON.stringify(sorted(name, row[name] ?? null), replacer)}`);
  return lines.join('\n');
}

/** The ids of a contract transaction are a set. */
function sorted(column: string, value: unknown): unknown {
  return column === 'contract_ids' ? (value as bigint[]).toSorted((a, b) => (a < b ? -1 : 1)) : value;
}

function replacer(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Rows of one list that the other lacks, each as often as it is missing. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const row of other) counts.set(row, (counts.get(row) ?? 0) + 1);
  return list.filter((row) => {
    const left = counts.get(row) ?? 0;
    if (left > 0) counts.set(row, left - 1);
    return left === 0;
  });
}
