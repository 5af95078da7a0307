/** Of rows that contradict each other, in whatever order they come, the same one stays. */
export function keepFirst<T>(kept: Map<string, T>, key: string, value: T): void {
  const there = kept.get(key);
  if (there === undefined || JSON.stringify(value) < JSON.stringify(there)) kept.set(key, value);
}
