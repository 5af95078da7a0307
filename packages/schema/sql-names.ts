// Names in SQL text. All are quoted: columns such as `index`, `range` or `type` are SQL keywords too.

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}
