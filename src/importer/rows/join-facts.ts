// Joins the rows of two blocks for one key of a table if that is the same as writing one after the other. In between,
// the store would merge with the stored row, which is unknown here: if its values could decide, nothing is joined.

import type { TimestampRange } from '../../../packages/postgres/wire/values.ts';
import { type FactKind, isSaid, mergeRuleOf } from '../../../packages/schema/merge-rules.ts';
import type { Column, Table } from '../../../packages/schema/table.ts';
import { type AnyRow, createVersionMerger } from './merge-versions.ts';

/** One key in one write: at most one adjustment of the stored row, then versions in order of time. */
export type Facts = {
  rows: AnyRow[];
  /** Whether the list and its last row are not shared, and may be changed. */
  isOwn: boolean;
};

/** Adds the rows of a later block; false, with nothing changed, if they have to be written after the facts. */
export type JoinFacts = (facts: Facts, rows: readonly AnyRow[]) => boolean;

export function createJoinFacts(table: Table): JoinFacts {
  const merger = createVersionMerger(table);
  const isJoinable = createIsJoinable(table);
  const isVersioned = table.kind === 'versioned';

  return (facts, rows) => {
    const last = facts.rows.at(-1)!;
    const [first] = rows as [AnyRow];
    const range = rangeOf(last);
    const firstRange = rangeOf(first);
    if (isVersioned && firstRange && !range) {
      // The stored row is adjusted before it ends.
      facts.rows = [...facts.rows, ...rows];
      facts.isOwn = false;
      return true;
    }
    const kind = isVersioned && !firstRange ? 'adjustment' : 'version';
    const isStored = isVersioned && !range;
    if (!rows.every((row) => isJoinable(last, row, kind, isStored))) return false;
    if (!range || !firstRange) {
      if (!facts.isOwn) facts.rows = [...facts.rows.slice(0, -1), { ...last }];
      merger.mergeInto(facts.rows.at(-1)!, first, kind);
    } else {
      if (range.from >= firstRange.from) return false;
      const ended = { ...last, timestamp_range: { from: range.from, to: firstRange.from } };
      // The rows of one block have inherited from each other already.
      const next = rows.map((row) => merger.merge(last, row, 'version'));
      facts.rows = [...facts.rows.slice(0, -1), ended, ...next];
    }
    facts.isOwn = true;
    return true;
  };
}

type IsJoinable = (older: AnyRow, newer: AnyRow, kind: FactKind, isOlderAdjustment: boolean) => boolean;

function createIsJoinable({ key, columns, reset }: Table): IsJoinable {
  const named = Object.entries(columns).filter(([name]) => !key.includes(name) && name !== 'timestamp_range');
  const those = (test: (column: Column) => unknown): string[] =>
    named.filter(([, column]) => test(column)).map(([name]) => name);
  // Without it the older row would not have been stored, and the newer one inherits nothing from it.
  const required = those((column) => column.required && column.default === undefined);
  const judged = named.flatMap(([name, column]) => {
    const { mayJoin } = mergeRuleOf(column);
    return mayJoin ? [{ name, mayJoin, hasDefault: isSaid(column.initial ?? column.default) }] : [];
  });
  const restarts = those(({ restartsAfter }) => restartsAfter).length > 0;
  const nulling = named.flatMap(([, { nullWhen }]) => nullWhen ?? []);
  const decidesInitial = named.flatMap(([, { initial }]) =>
    [...(initial ?? '').matchAll(/\bn\.(\w+)/g)].map((m) => m[1]!),
  );
  // Values with another meaning in a version, which other columns follow from.
  const saysWhatVersionsMean = (row: AnyRow): boolean =>
    nulling.some((name) => row[name] === true) || (reset !== undefined && isSaid(row[reset.when]));
  const onlyNewerSays = (older: AnyRow, newer: AnyRow) => (name: string) => !isSaid(older[name]) && isSaid(newer[name]);

  return (older, newer, kind, isOlderAdjustment) => {
    const isNew = onlyNewerSays(older, newer);
    const facts = { kind, isOlderAdjustment };
    for (const { name, mayJoin, hasDefault } of judged) {
      if (!mayJoin(older[name], newer[name], facts, hasDefault)) return false;
    }
    if (kind === 'adjustment' && saysWhatVersionsMean(newer)) return false;
    if (isOlderAdjustment) return !saysWhatVersionsMean(older);
    if (restarts || nulling.some((name) => older[name] === true)) return false;
    if (required.some(isNew)) return false;
    return !decidesInitial.some((name) => isSaid(older[name]) && isSaid(newer[name]) && older[name] !== newer[name]);
  };
}

function rangeOf(row: AnyRow): TimestampRange | undefined {
  return (row.timestamp_range as TimestampRange | null | undefined) ?? undefined;
}
