// Which files of an export are loaded, and which of their rows.

import { monthBefore, monthOf, monthSpan } from '../../packages/kit/months.ts';
import type { LeftOutPart } from '../../packages/store/transfer/left-out-parts.ts';
import {
  type RowChoice,
  type StateRows,
  type TransferTable,
  transferTables,
} from '../../packages/store/transfer/transfer-tables.ts';
import type { ExportFile } from './read-export.ts';

export type TransferMode =
  | { kind: 'full' }
  | { kind: 'minimal' }
  | { kind: 'state' }
  | { kind: 'since'; since: bigint };

export type ChosenFile = ExportFile & { described: TransferTable; choice: RowChoice };

export type ChosenFiles = {
  files: ChosenFile[];
  /** Tables that this program does not have. */
  unknownTables: string[];
  /** Parts of what is loaded that the minimal set does not have. */
  leftOut: LeftOutPart[];
};

export function chooseFiles(files: readonly ExportFile[], mode: TransferMode): ChosenFiles {
  const unknown = new Set<string>();
  const chosen: ChosenFile[] = [];
  const leftOut: LeftOutPart[] = [];
  const newest = newestMonths(files);
  for (const file of files) {
    const described = transferTables.get(file.table);
    if (!described) {
      unknown.add(file.table);
      continue;
    }
    const context = { described, mode, newestMonth: newest.get(file.table) ?? null };
    const choice = chooseOf(file, context);
    if (choice) chosen.push({ ...file, described, choice });
    else if (file.isLarge && file.expected.rows !== 0 && chooseOf({ ...file, isLarge: false }, context)) {
      leftOut.push({ table: file.table, month: file.month, rows: file.expected.rows });
    }
  }
  return { files: chosen, unknownTables: [...unknown].sort(), leftOut };
}

type ChoiceContext = { described: TransferTable; mode: TransferMode; newestMonth: string | null };

/** null = nothing of the file. */
function chooseOf({ month, isLarge }: ExportFile, context: ChoiceContext): RowChoice | null {
  const { described, mode, newestMonth } = context;
  const { state, past } = described;
  if (mode.kind === 'full') return { kind: 'all' };
  if (mode.kind === 'minimal') return isLarge ? null : { kind: 'all' };
  if (mode.kind === 'state') {
    if (state.kind === 'none' || isLarge) return null;
    return isNewestMonth(state, month, newestMonth) ? { kind: 'state' } : null;
  }
  if (isLarge) return null;
  if (month === null) return past === null ? { kind: 'all' } : mode;
  if (past === null || monthSpan(month).from >= mode.since) return { kind: 'all' };
  // Snapshots of a month build on the first of it.
  if (monthSpan(month).to > mode.since) return state.kind === 'newest' ? { kind: 'all' } : mode;
  // Balances at the first moments are in the snapshot before them.
  const isSnapshotBefore = state.kind === 'newest' && month === monthBefore(monthOf(mode.since));
  if (isSnapshotBefore) return { kind: 'state' };
  return state.kind === 'latest' && isNewestMonth(state, month, newestMonth) ? mode : null;
}

/** Or the one before it, where it may have begun just now. */
function isNewestMonth({ kind }: StateRows, month: string | null, newestMonth: string | null): boolean {
  if (month === null || newestMonth === null || month === newestMonth || kind === 'all' || kind === 'contents')
    return true;
  return kind === 'latest' && month === monthBefore(newestMonth);
}

function newestMonths(files: readonly ExportFile[]): Map<string, string> {
  const newest = new Map<string, string>();
  for (const { table, month } of files) {
    if (month !== null && month > (newest.get(table) ?? '')) newest.set(table, month);
  }
  return newest;
}
