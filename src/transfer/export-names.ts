// Names of the files of an export: of a table, of a month of it, or of the part of a month that the minimal set leaves
// out.

export type ExportName = {
  table: string;
  /** `2024_01`; null = the whole table. */
  month: string | null;
  /** Messages and transactions of one very large application. */
  isLarge: boolean;
};

/** Without folders and ending: the name that all forms of a manifest's entry have in common. */
export function baseName(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.csv(\.gz)?$/, '');
}

/** null: no file of a table. */
export function parseExportName(path: string): ExportName | null {
  const match = /^([a-z][a-z0-9_]*?)(?:_p(\d{4}_(?:0[1-9]|1[0-2])))?(_atma)?$/.exec(baseName(path));
  if (!match) return null;
  return { table: match[1]!, month: match[2] ?? null, isLarge: match[3] !== undefined };
}

export function formatExportName({ table, month }: Pick<ExportName, 'table' | 'month'>): string {
  return month === null ? `${table}.csv.gz` : `${table}/${table}_p${month}.csv.gz`;
}
