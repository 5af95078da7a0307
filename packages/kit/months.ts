// Months as exports name them: `2024_01`, UTC.

/** Consensus timestamps of a month, ns: from inclusive, to exclusive. */
export function monthSpan(month: string): { from: bigint; to: bigint } {
  const [year, number] = month.split('_').map(Number) as [number, number];
  const startOf = (index: number): bigint => BigInt(Date.UTC(year, index, 1)) * 1_000_000n;
  return { from: startOf(number - 1), to: startOf(number) };
}

export function monthOf(timestamp: bigint): string {
  const date = new Date(Number(timestamp / 1_000_000n));
  return `${date.getUTCFullYear()}_${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** The months from one to another, both included. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = monthOf(monthSpan(month).to)) months.push(month);
  return months;
}

export function monthBefore(month: string): string {
  return monthOf(monthSpan(month).from - 1n);
}
