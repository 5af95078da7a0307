// How the passes over an export ask for rows.
import type { TableName } from './find-table-files.ts';
import type { TableRow } from './table-columns.ts';

/** The rows of a table whose column `key` has a wanted value. */
export type ReadTable = <Name extends TableName, Key extends keyof TableRow<Name> & string>(
  table: Name,
  key: Key,
  isWanted: (value: TableRow<Name>[Key]) => boolean,
) => AsyncGenerator<TableRow<Name>>;
