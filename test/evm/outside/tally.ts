// Counts cases that passed, differ on purpose, or failed.

/** What differs on purpose, by the name of the case. */
export type Intended = { cases: RegExp; reason: string };

export type Tally = {
  passed: number;
  /** Of those that passed: where the machine had no part in it. */
  aside: number;
  intended: number;
  failed: { name: string; difference: string }[];
  /** Of rules that no ledger has had, or that the file does not hold whole. */
  skipped: number;
  /** Each with the number of its cases that differ. */
  reasons: Map<string, number>;
};

export function createTally(): Tally {
  return { passed: 0, aside: 0, intended: 0, failed: [], skipped: 0, reasons: new Map() };
}

/** null: it is as it has to be. */
export function count(tally: Tally, name: string, difference: string | null, intended: readonly Intended[]): void {
  if (difference === null) {
    tally.passed += 1;
    return;
  }
  const known = intended.find(({ cases }) => cases.test(name));
  if (known === undefined) tally.failed.push({ name, difference });
  else {
    tally.intended += 1;
    tally.reasons.set(known.reason, (tally.reasons.get(known.reason) ?? 0) + 1);
  }
}
