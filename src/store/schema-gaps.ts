// Looks at a database of somebody else, a Hiero mirror node's, before it is answered from: every table and column that
// queries need must be there and be readable. What answers can do without is a gap, which `fillSchemaGaps` fills. Only
// looks; needs no right but SELECT.
import pg from 'pg';
import type { Table } from './table.ts';
import { tables } from './tables.ts';

export type SchemaGap = {
  table: string;
  /** Columns that are missing; null = the whole table is. */
  columns: readonly string[] | null;
  /** What that means for answers, a sentence for the operator. */
  sentence: string;
};

/** Tables that answers need, by the tables that they can do without: what is then said in place of their contents. */
const neededTables = [
  'address_book',
  'contract',
  'contract_log',
  'contract_result',
  'crypto_transfer',
  'custom_fee',
  'custom_fee_history',
  'entity',
  'entity_history',
  'ethereum_transaction',
  'file_data',
  'record_file',
  'schedule',
  'token',
  'token_account',
  'token_history',
  'token_transfer',
  'transaction',
  'transaction_signature',
] as const;
const optionalTables: Readonly<Record<string, string>> = {
  account_balance: 'balances at a moment in the past are taken from the versions of the account',
  entity_stake: 'pending rewards are 0',
  entity_stake_history: 'pending rewards at a moment in the past are 0',
  entity_transaction: 'accounts list the transactions that they paid for or took part in with an amount',
  staking_reward_transfer: 'transactions list no staking rewards',
  token_balance: 'token balances at a moment in the past are left out',
};

/** Throws an Error that names what is missing and says what to do. */
export async function findSchemaGaps(connectionString: string): Promise<SchemaGap[]> {
  const found = await lookAt(connectionString);
  const problems: string[] = [];
  const gaps: SchemaGap[] = [];
  for (const table of [...neededTables, ...Object.keys(optionalTables)]) {
    const consequence = optionalTables[table];
    const stored = found.get(table);
    if (!stored?.isReadable) {
      const state = stored ? 'cannot be read: grant select on it to the user of DATABASE_URL' : 'is missing';
      if (consequence === undefined) problems.push(`table ${table} ${state}`);
      else gaps.push({ table, columns: null, sentence: `Table ${table} ${state}; ${consequence}.` });
      continue;
    }
    const { columns } = describedTable(table);
    const missing = Object.keys(columns).filter((column) => !stored.columns.has(column));
    const needed = missing.filter((column) => columns[column]!.required && columns[column]!.default === undefined);
    problems.push(...needed.map((column) => `column ${table}.${column} is missing`));
    const rest = missing.filter((column) => !needed.includes(column));
    for (const column of rest) {
      const value = columns[column]!.default ?? 'null';
      const sentence = `Column ${table}.${column} is missing; it is taken to be ${value} in every row.`;
      gaps.push({ table, columns: [column], sentence });
    }
  }
  if (problems.length > 0) {
    throw new Error(
      `The database cannot be answered from: ${problems.join(', ')}. Expected the tables of a Hiero mirror node in the ` +
        'search path of the user of DATABASE_URL; without --read-only an empty database gets them.',
    );
  }
  return gaps;
}

/** The description of a table, or of the history of one. */
export function describedTable(name: string): Table {
  const table = (tables as Readonly<Record<string, Table>>)[name.replace(/_history$/, '')];
  if (!table) throw new Error(`No table ${name} is described`);
  return table;
}

type StoredTable = { isReadable: boolean; columns: Set<string> };

async function lookAt(connectionString: string): Promise<Map<string, StoredTable>> {
  const client = new pg.Client({ connectionString, application_name: 'ledger-mirror' });
  await client.connect();
  try {
    const names = [...neededTables, ...Object.keys(optionalTables)];
    const { rows } = await client.query<{ name: string; readable: boolean; columns: string[] }>(
      `select name, has_table_privilege(to_regclass(name), 'select') as readable, array(
         select attname::text from pg_attribute where attrelid = to_regclass(name) and attnum > 0 and not attisdropped
       ) as columns
       from unnest($1::text[]) name where to_regclass(name) is not null`,
      [names],
    );
    return new Map(rows.map((row) => [row.name, { isReadable: row.readable, columns: new Set(row.columns) }]));
  } finally {
    await client.end();
  }
}
