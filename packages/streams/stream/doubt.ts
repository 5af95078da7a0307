// What of a proved block is not shown, or shown in part, since it is doubtful: it costs its row, never the stream.

/** By kind: what there was, for metrics and documents. */
export const doubtKinds = {
  transactionWithoutResult: 'signed transactions that have no result in their block',
  uncertainResult: 'transactions of which it is uncertain which result is theirs',
  redacted: 'parts that were taken out of a block, and transactions that lack them',
  transaction: 'transactions whose body, result or record cannot be read',
  output: 'outputs of transactions that cannot be read, or are none of their type',
  trace: 'traces that cannot be read, or may be those of another transaction',
  stateChange: 'changes of the state that cannot be read, or contradict themselves',
  unknownValue: 'values of transactions that no block says',
  unknownItem: 'items, outputs, traces and state changes of kinds that this version does not know',
  openingState: 'values of the first state that cannot be read',
  repeatedTime: 'transactions at a consensus time that the stream has passed already',
  sidecar: 'sidecar files that cannot be read, and records in them that belong to no transaction',
  proof: 'roots, keys and publications of the network that cannot be read or compared',
  repeatedRow: 'rows with a key that their block has already given to another row',
  transactionPart: 'parts of transactions that make no row',
} as const;

export type DoubtKind = keyof typeof doubtKinds;

export type Doubt = {
  kind: DoubtKind;
  /** A sentence or a part of one, for the log. */
  text: string;
  count: number;
  /** Of the first one, among the items of its block or file; null: it is no single item. */
  place: number | null;
};

/** Counts doubts by their name: one for all of that name, with the first place and example. */
export type DoubtCounts = {
  add(kind: DoubtKind, name: string, more?: { count?: number; place?: number | null; example?: string | null }): void;
  list(): Doubt[];
};

export function createDoubtCounts(): DoubtCounts {
  const counts = new Map<string, Omit<Doubt, 'text'> & { example: string | null }>();
  return {
    add(kind, name, { count = 1, place = null, example = null } = {}): void {
      const found = counts.get(name);
      if (found) found.count += count;
      else counts.set(name, { kind, count, place, example });
    },
    list: () =>
      [...counts].map(([name, { example, ...doubt }]) => ({
        ...doubt,
        text: `${name}: ${doubt.count}${example === null ? '' : ` (${example})`}`,
      })),
  };
}

/** Values of the state before a block that no block said, with how many of each. */
export function doubtsOfUnknown(unknown: ReadonlyMap<string, number>): Doubt[] {
  return [...unknown].map(([what, count]) => ({
    kind: 'unknownValue',
    text: `not known, as no earlier block says it: ${what} (${count})`,
    count,
    place: null,
  }));
}
