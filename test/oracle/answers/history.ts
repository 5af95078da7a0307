// Versions of things that change over time. The newest version can also be corrected in place, for values that the
// ledger counts without a new version. Mirrors write block by block, so a version that ends in the block of a
// correction ends without it: the correction belongs to the next version.

type Version<T> = { from: bigint; to: bigint | null; value: T };

export type History<T extends object> = {
  ids(): bigint[];
  /** Begins a version with these members; undefined ones keep their value. Two at one moment are one version. */
  change(id: bigint, at: bigint, members: Partial<T>): void;
  beginBlock(): void;
  /** Changes the newest version in place. */
  correct(id: bigint, members: Partial<T>): void;
  versions(id: bigint): readonly Version<T>[];
  latest(id: bigint): T | undefined;
  /** The version at this moment; the newest one for null. */
  at(id: bigint, moment: bigint | null): Version<T> | undefined;
};

export function createHistory<T extends object>(blank: T): History<T> {
  const all = new Map<bigint, Version<T>[]>();
  /** Values before the corrections of this block. */
  const stored = new Map<bigint, T>();
  /** What has begun in this block. */
  const begun = new Set<bigint>();
  const newest = (id: bigint): Version<T> | undefined => all.get(id)?.at(-1);
  return {
    ids: () => [...all.keys()],
    change(id, at, members) {
      const last = newest(id);
      const value = { ...(last?.value ?? blank), ...withoutUndefined(members) };
      if (last?.from === at) {
        last.value = value;
        return;
      }
      if (last) {
        last.to = at;
        last.value = stored.get(id) ?? last.value;
        stored.delete(id);
      }
      begun.add(id);
      all.set(id, [...(all.get(id) ?? []), { from: at, to: null, value }]);
    },
    beginBlock() {
      stored.clear();
      begun.clear();
    },
    correct(id, members) {
      const last = newest(id);
      if (last && !begun.has(id) && !stored.has(id)) stored.set(id, last.value);
      if (last) last.value = { ...last.value, ...withoutUndefined(members) };
    },
    versions: (id) => all.get(id) ?? [],
    latest: (id) => newest(id)?.value,
    at: (id, moment) => all.get(id)?.findLast(({ from }) => moment === null || from <= moment),
  };
}

function withoutUndefined<T extends object>(members: Partial<T>): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
