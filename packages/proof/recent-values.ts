// Values by key, at most so many: the one that was used the longest time ago goes first.

export type RecentValues<Value> = {
  find(key: string): Value | undefined;
  keep(key: string, value: Value): Value;
};

export function createRecentValues<Value>(maxValues: number): RecentValues<Value> {
  const values = new Map<string, Value>();
  function keep(key: string, value: Value): Value {
    values.delete(key);
    values.set(key, value);
    if (values.size > maxValues) values.delete(values.keys().next().value!);
    return value;
  }
  return {
    find(key) {
      const value = values.get(key);
      return value === undefined ? undefined : keep(key, value);
    },
    keep,
  };
}
