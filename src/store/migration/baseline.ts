// The statements that make the whole schema on an empty database, generated from `tables.ts`. They need no extension and
// no rights beyond those of the database's owner.

import { quoteName, quoteNames } from '../schema/sql-names.ts';
import { enumTypes, type Table } from '../schema/table.ts';
import { importRevisionTableStatements } from '../schema/tables/import-revision-table.ts';
import { importerStateTableStatements } from '../schema/tables/importer-state-table.ts';
import { ledgerScanTableStatements } from '../schema/tables/ledger-scan-table.ts';
import { mirrorExtentTableStatements } from '../schema/tables/mirror-extent-table.ts';
import { mirroredNetworkTableStatements } from '../schema/tables/mirrored-network-table.ts';
import { postponedIndexTableStatements } from '../schema/tables/postponed-index-table.ts';
import { tokenNameIndexStatements } from '../schema/tables/token-name-index.ts';
import { transactionHashFunctionStatements } from '../schema/tables/transaction-hash-function.ts';
import { tables } from '../schema/tables.ts';
import { verificationTableStatements } from '../schema/verification-tables.ts';

export function baselineStatements(): string[] {
  const types = Object.entries(enumTypes).map(
    ([name, labels]) => `create type ${name} as enum (${labels.map((label) => `'${label}'`).join(', ')})`,
  );
  return [
    ...types,
    ...Object.entries(tables).flatMap(([name, table]) => tableStatements(name, table)),
    ...verificationTableStatements,
    ...importerStateTableStatements,
    ...mirroredNetworkTableStatements,
    ...mirrorExtentTableStatements,
    ...tokenNameIndexStatements,
    ...postponedIndexTableStatements,
    ...ledgerScanTableStatements,
    ...importRevisionTableStatements,
    ...transactionHashFunctionStatements,
  ];
}

function tableStatements(name: string, table: Table): string[] {
  const statements = [createTable(name, table), ...(table.indexes ?? []).map((index) => createIndex(name, index))];
  if (table.kind !== 'versioned') return statements;
  const history = `${name}_history`;
  const byTime = `(${quoteNames(table.key)}, lower(timestamp_range))`;
  return [
    ...statements,
    createTable(history, { ...table, key: [], kind: 'insert' }),
    ...[byTime, ...(table.historyIndexes ?? [])].map((index) => createIndex(history, index)),
  ];
}

function createTable(name: string, { columns, key, kind, partitionBy }: Table): string {
  const parts = Object.entries(columns).map(([column, { type, required, default: value }]) =>
    [quoteName(column), type, required ? 'not null' : '', value === undefined ? '' : `default ${value}`]
      .join(' ')
      .trim(),
  );
  if (key.length > 0) parts.push(`primary key (${quoteNames(key)})`);
  // Rows that change in place (balances) stay on their page and need no new index entries when there is room.
  const storage = kind === 'insert' ? '' : ' with (fillfactor = 80)';
  const partition = partitionBy ? ` partition by range (${quoteName(partitionBy)})` : '';
  return `create table ${quoteName(name)} (\n  ${parts.join(',\n  ')}\n)${partition}${storage}`;
}

function createIndex(table: string, definition: string): string {
  return `create index on ${quoteName(table)} ${definition}`;
}
