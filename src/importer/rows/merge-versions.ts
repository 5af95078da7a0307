// Merges two facts about the same row by the rules in the table's description for each column. The store applies the
// same rules between a block and the stored row.
import { type FactKind, isSaid, type MergeRule, mergeRuleOf } from '../../../packages/schema/merge-rules.ts';
import type { Table } from '../../../packages/schema/table.ts';

export type AnyRow = Record<string, unknown>;

export type VersionMerger = {
  /** The result of `older` and then `newer`; changes neither. */
  merge(older: AnyRow, newer: AnyRow, kind: FactKind): AnyRow;
  /** The same, but `older` itself becomes the result; only the members of `newer` are visited. */
  mergeInto(older: AnyRow, newer: AnyRow, kind: FactKind): void;
};

export function createVersionMerger(table: Table): VersionMerger {
  const columns = Object.keys(table.columns);
  const rules: Record<string, MergeRule> = {};
  for (const name of columns) rules[name] = mergeRuleOf(table.columns[name]!);
  const settingColumns = columns.filter((name) => rules[name]!.clears);
  const nulledColumns = columns.filter((name) => table.columns[name]!.nullWhen);
  const restartingColumns = columns.filter((name) => table.columns[name]!.restartsAfter);

  const mergeInto = (row: AnyRow, newer: AnyRow, kind: FactKind): void => {
    if (kind === 'version') {
      if (table.reset && isSaid(newer[table.reset.when])) {
        for (const name of table.reset.columns) row[name] = undefined;
      }
      for (const name of settingColumns) {
        if (!isSaid(newer[name])) row[name] = undefined;
      }
    }
    const restarting =
      restartingColumns.length > 0
        ? restartingColumns.filter((name) => row[table.columns[name]!.restartsAfter!] === true)
        : restartingColumns;
    for (const name in newer) {
      const value = newer[name];
      if (!isSaid(value)) continue;
      if (name === 'timestamp_range' && kind === 'adjustment') continue;
      const rule = rules[name]!;
      if (rule.leaves === value && kind === 'version') continue;
      const inherits = isSaid(row[name]) && !restarting.includes(name);
      row[name] = inherits ? rule.merge(row[name], value, kind) : value;
    }
    for (const name of nulledColumns) {
      if (row[table.columns[name]!.nullWhen!] === true) row[name] = undefined;
    }
  };

  return {
    mergeInto,
    merge: (older, newer, kind) => {
      const result = { ...older };
      mergeInto(result, newer, kind);
      return result;
    },
  };
}

/** Identifies a row of its table, as a value that a Map can have as key. */
export type RowKey = bigint | string;

export function createRowKey({ key, columns }: Table): (row: AnyRow) => RowKey {
  const [only] = key;
  if (key.length === 1 && only && columns[only]!.type === 'int8') return (row) => row[only] as bigint;
  return (row) => {
    let text = '';
    for (const name of key) text += `${toKeyText(row[name])},`;
    return text;
  };
}

function toKeyText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
