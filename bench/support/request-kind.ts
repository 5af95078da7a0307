// Requests of the query benchmarks that are measured together.
export type RequestKind = { name: string; paths: string[] };

/** One of each kind in turn. */
export function mixPaths(kinds: readonly RequestKind[]): string[] {
  const longest = Math.max(...kinds.map(({ paths }) => paths.length));
  return Array.from({ length: longest }, (_, turn) => kinds.map(({ paths }) => paths[turn % paths.length]!)).flat();
}
