// Before the first row: whether the export has every table that says how the ledger is.
import { isOfChecks, isOfPast, judgeAbsence } from '../../packages/store/transfer/absent-tables.ts';
import { transferTables } from '../../packages/store/transfer/transfer-tables.ts';
import type { ExportFile } from './read-export.ts';
import { TransferError } from './transfer-error.ts';

/** What a mirror lacks because tables are absent, the end of a sentence. */
export type AbsentTables = { tables: string[]; without: string };

export type ExaminedExport = {
  /** For messages. */
  place: string;
  files: readonly ExportFile[];
  /** More than the state is loaded. */
  takesPast: boolean;
};

/** Throws TransferError that names the tables of state which no mirror can do without. */
export function examineTables({ place, files, takesPast }: ExaminedExport): AbsentTables[] {
  const present = new Set(files.map(({ table }) => table));
  const known = [...transferTables.values()].filter(({ name }) => present.has(name));
  const context = {
    isOwnExport: known.some(({ isOwn }) => isOwn),
    hasChecks: known.some(isOfChecks),
    takesPast: takesPast && known.some(isOfPast),
  };
  const needed: string[] = [];
  const reported = new Map<string, string[]>();
  for (const table of transferTables.values()) {
    if (present.has(table.name)) continue;
    const absence = judgeAbsence(table, context);
    if (absence === 'needed') needed.push(table.name);
    else if (absence) reported.set(absence.without, [...(reported.get(absence.without) ?? []), table.name]);
  }
  if (needed.length > 0) {
    throw new TransferError(
      `The export in ${place} lacks tables of state: ${needed.join(', ')}. Without ${needed.length === 1 ? 'it' : 'them'} the import would go on from a ledger that never was; nothing was loaded. Take the whole export, with its manifest.csv as it was written, or another one.`,
    );
  }
  return [...reported].map(([without, tables]) => ({ tables, without }));
}
