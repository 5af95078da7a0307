// Every table of the ledger: the Hiero mirror node's names, columns, types and keys (its v1 schema), so that queries
// also run against an existing Hiero mirror database. DDL, COPY, merging and row types all follow from this
// description.

import { accountTables } from './account-tables.ts';
import { contractTables } from './contract-tables.ts';
import { contractTokenTables, tokenTotalTables } from './contract-token-tables.ts';
import { dayTables } from './day-tables.ts';
import { entityTables } from './entity-tables.ts';
import { fileTables } from './file-tables.ts';
import { hookTables } from './hook-tables.ts';
import { networkTables } from './network-tables.ts';
import { ownTables } from './own-tables.ts';
import { streamProofTables } from './stream-proof-tables.ts';
import type { DescribedTable, RowOf, Table } from './table.ts';
import { tokenTables } from './token-tables.ts';
import { topicTables } from './topic-tables.ts';
import { transactionTables } from './transaction-tables.ts';
import { verificationTables } from './verification-tables.ts';

export const tables = {
  ...fileTables,
  ...entityTables,
  ...accountTables,
  ...tokenTables,
  ...transactionTables,
  ...contractTables,
  ...hookTables,
  ...topicTables,
  ...networkTables,
  ...streamProofTables,
  ...dayTables,
} as const satisfies Record<string, Table>;

/** Those of contract verification, of tokens of contracts, and of the database itself, too. */
export const allTables: Readonly<Record<string, DescribedTable>> = {
  ...tables,
  ...verificationTables,
  ...contractTokenTables,
  ...tokenTotalTables,
  ...ownTables,
};

/** The description of a table, or that of its history: a version has the same columns. */
export function describedTable(name: string): DescribedTable | undefined {
  return allTables[name] ?? allTables[name.replace(/_history$/, '')];
}

export type TableName = keyof typeof tables;
export type ColumnName<T extends TableName> = keyof (typeof tables)[T]['columns'] & string;

/** One row from the importer; a member left out means "not set". */
export type Row<T extends TableName> = RowOf<(typeof tables)[T]>;
