// Which tables rows are dropped from, and how, according to the descriptions of the tables.
import type { Past, Table } from '../../schema/table.ts';
import { tables } from '../../schema/tables.ts';

/** Table and the column with its time. */
export const momentTables = select((past) => ('moment' in past ? past.moment : undefined));

/** Table and the columns that identify rows which replace each other. */
export const changeTables = select((past) => ('changeOf' in past ? past.changeOf : undefined));

export const snapshotTables = select((past) => ('snapshotOf' in past ? past.snapshotOf : undefined));

export const historyTables: readonly string[] = Object.entries(tables)
  .filter(([, table]) => (table as Table).past === 'versions')
  .map(([name]) => `${name}_history`);

function select<T>(pick: (past: Exclude<Past, string>) => T | undefined): (readonly [table: string, part: T])[] {
  return Object.entries(tables).flatMap(([name, { past }]: [string, Table]) => {
    const part = typeof past === 'string' ? undefined : pick(past);
    return part === undefined ? [] : [[name, part] as const];
  });
}
