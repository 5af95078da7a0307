// Figures as a Markdown table, and how they are written in it.

export function formatTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${head.map((_, column) => cells[column] ?? '').join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/** Small answers differ in the third digit. */
export function formatMs(ms: number | null): string {
  return ms === null ? 'unknown' : ms.toFixed(ms < 0.0995 ? 3 : 2);
}

export function formatTimes(ratio: number): string {
  return `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1).replace(/\.0$/, '')} ×`;
}
