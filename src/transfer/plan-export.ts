// Which files an export has: a table, or a month of it, each.

import { monthOf, monthSpan, monthsBetween } from '../../packages/kit/months.ts';
import type { LedgerSnapshot } from '../../packages/store/transfer/ledger-snapshot.ts';
import { type TransferTable, transferTables } from '../../packages/store/transfer/transfer-tables.ts';
import { formatExportName } from './export-names.ts';
import type { WriteJob } from './write-thread.ts';

export type ExportMode = {
  /** Only how things are. */
  isState: boolean;
  /** Without tables and columns that a Hiero mirror node does not have. */
  isPlain: boolean;
};

export type PlannedFile = WriteJob & {
  month: string | null;
  stage: number;
  /** Rows are of a month that is over: they do not change any more. */
  isClosed: boolean;
};

export async function planExport(snapshot: LedgerSnapshot, { isState, isPlain }: ExportMode): Promise<PlannedFile[]> {
  const files: PlannedFile[] = [];
  for (const table of transferTables.values()) {
    if (isPlain && table.isOwn) continue;
    if (isState && table.state.kind === 'none') continue;
    for (const month of await findMonths(snapshot, table, isState)) {
      const span = month === null ? null : monthSpan(month);
      files.push({
        path: formatExportName({ table: table.name, month }),
        table: table.name,
        columns: columnsOf(table, isPlain),
        choice: isState ? { kind: 'state' } : { kind: 'all' },
        span,
        month,
        stage: table.stage,
        isClosed: !isState && span !== null && span.to <= snapshot.lastBlock.consensusEnd,
      });
    }
  }
  return files;
}

/** [null] = the whole table. Months without rows have no file. */
async function findMonths(
  snapshot: LedgerSnapshot,
  table: TransferTable,
  isState: boolean,
): Promise<(string | null)[]> {
  if (table.monthBy === null) return [null];
  const span = await snapshot.span(table);
  if (!span) return [];
  const months = monthsBetween(monthOf(span.from), monthOf(span.to));
  return isState ? months.slice(table.state.kind === 'latest' ? -2 : -1) : months;
}

function columnsOf({ columns }: TransferTable, isPlain: boolean): string[] {
  return Object.entries(columns)
    .filter(([, { own }]) => !(isPlain && own))
    .map(([name]) => name);
}
