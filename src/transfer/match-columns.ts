// Which columns of a file go into the table.
import type { TransferTable } from '../../packages/store/transfer/transfer-tables.ts';

export type MatchedColumns = {
  /** Those of both, in the order of the file. */
  columns: string[];
  /** For each column of the file whether the table has it. */
  kept: boolean[];
  unknown: string[];
  /** Columns of the table that get their default, or null. */
  defaulted: string[];
  /** Columns of the table that need a value, and have no default. */
  lacking: string[];
};

export function matchColumns({ columns: described }: TransferTable, header: readonly string[]): MatchedColumns {
  const kept = header.map((name) => Object.hasOwn(described, name));
  const missing = Object.entries(described).filter(([name]) => !header.includes(name));
  const isLacking = ({ required, default: value, sql = '' }: (typeof described)[string]): boolean =>
    required === true && value === undefined && !sql.includes('as identity');
  return {
    columns: header.filter((_, index) => kept[index]),
    kept,
    unknown: header.filter((_, index) => !kept[index]),
    defaulted: missing.filter(([, column]) => !isLacking(column) && !column.own).map(([name]) => name),
    lacking: missing.filter(([, column]) => isLacking(column)).map(([name]) => name),
  };
}
