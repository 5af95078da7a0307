// Figures as a plain table: the first column to the left, all others to the right.

export function printTable(head: string[], rows: string[][]): void {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
  const line = (row: string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ');
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows]) console.log(line(row).trimEnd());
}

/** 12345.6 → 12,346; small numbers keep two digits. */
export function formatFigure(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
