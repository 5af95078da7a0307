// The order of two integers, for `sort`.
export function compareBigints(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
