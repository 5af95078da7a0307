// How a newer value of a column merges with an older one in versions, adjustments and upserts. A rule is one value: its
// merge in memory, its SQL, and whether two facts about a row may be joined before the stored row is known.

/** Whether the newer fact is a further version of the row, or only an adjustment of the latest one. */
export type FactKind = 'version' | 'adjustment';

export type MergeRule = {
  /** Both values are set. */
  merge(older: unknown, newer: unknown, kind: FactKind): unknown;
  /**
   * `e`: the stored value, `n`: the newer one; null = not set. `restarts`: a condition under which the older one is
   * dropped.
   */
  sql(n: string, e: string, kind: FactKind, restarts?: string): string;
  /** A version that does not set it clears it. */
  clears?: boolean;
  /** In a version this value keeps the older one; if that is not set, it was cleared. */
  leaves?: bigint;
  /**
   * Whether joining first gives the same as merging one after the other; true if absent. `hasDefault`: whether a
   * created row without the column gets a value.
   */
  mayJoin?(older: unknown, newer: unknown, facts: JoinedFacts, hasDefault: boolean): boolean;
};

type JoinedFacts = {
  /** Of the newer fact. */
  kind: FactKind;
  isOlderAdjustment: boolean;
};

const newest = (n: string, e: string): string => `coalesce(${n}, ${e})`;
const sum = (n: string, e: string): string => `case when ${n} is null then ${e} else coalesce(${e}, 0) + ${n} end`;
const add = (older: unknown, newer: unknown): bigint => (older as bigint) + (newer as bigint);
const onlyNewerSays = (older: unknown, newer: unknown): boolean => !isSaid(older) && isSaid(newer);

const mergeRules = {
  /** The new value if given, else the stored one. */
  replace: { merge: (_older, newer) => newer, sql: newest },
  /** The stored value if any, else the new one. */
  keep: {
    merge: (older) => older,
    sql: (n, e, _kind, restarts) =>
      restarts ? `coalesce(case when ${restarts} then ${n} end, ${e}, ${n})` : `coalesce(${e}, ${n})`,
    // The older row would have been stored with the default, which then stays.
    mayJoin: (older, newer, { isOlderAdjustment }, hasDefault) =>
      isOlderAdjustment || !hasDefault || !onlyNewerSays(older, newer),
  },
  add: { merge: add, sql: sum },
  /** The new value, even if it is unset. */
  set: {
    merge: (_older, newer) => newer,
    sql: (n, e, kind) => (kind === 'adjustment' ? newest(n, e) : n),
    clears: true,
  },
  /** The same, but −1 means the stored value. */
  setUnlessMinusOne: {
    merge: (older, newer) => (newer === -1n ? older : newer),
    sql: (n, e, kind) => (kind === 'adjustment' ? newest(n, e) : `case when ${n} = -1 then ${e} else ${n} end`),
    clears: true,
    leaves: -1n,
    mayJoin: (older, newer, { kind, isOlderAdjustment }) =>
      !(kind === 'adjustment' && newer === -1n) && !(isOlderAdjustment && older === -1n),
  },
  /** A version replaces, an adjustment adds. */
  adjust: {
    merge: (older, newer, kind) => (kind === 'adjustment' ? add(older, newer) : newer),
    sql: (n, e, kind) => (kind === 'adjustment' ? sum(n, e) : newest(n, e)),
    mayJoin: (older, newer, { kind, isOlderAdjustment }) =>
      kind === 'version' || isOlderAdjustment || !onlyNewerSays(older, newer),
  },
  /** A negative value is added, any other replaces. */
  replaceOrAddNegative: {
    merge: (older, newer) => ((newer as bigint) < 0n ? add(older, newer) : newer),
    sql: (n, e) => `case when ${n} < 0 then coalesce(${e}, 0) + ${n} else ${newest(n, e)} end`,
    // A sum below zero would be read as a difference.
    mayJoin: (older, newer) =>
      !(typeof older === 'bigint' && typeof newer === 'bigint' && older >= 0n && newer < 0n && older + newer < 0n),
  },
} as const satisfies Record<string, MergeRule>;

export type MergeRuleName = keyof typeof mergeRules;

/** Default `replace`. */
export function mergeRuleOf({ merge = 'replace' }: { merge?: MergeRuleName }): MergeRule {
  return mergeRules[merge];
}

export function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}
