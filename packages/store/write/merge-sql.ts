// The SQL that merges the rows of a block with the stored ones, set-based, generated from the table's description. Rows
// come as one array parameter a column; if `asksBeginning` says so, one more follows: whether the database begins later
// than the ledger. It is a parameter because Citus refuses non-immutable functions in a CASE or COALESCE of an update.
import { type FactKind, mergeRuleOf } from '../../schema/merge-rules.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import type { Column, Table } from '../../schema/table.ts';
import { arrayType } from './array-parameters.ts';

/**
 * New versions of a versioned table, or rows of an upsert table. The stored row goes to the history with the smallest
 * new lower bound as its end, closed versions go there too, the open one replaces the stored one; all inherit from it.
 */
export function mergeStatement(name: string, table: Table): string {
  const columns = Object.keys(table.columns);
  const names = quoteNames(columns);
  const required = columns.filter((column) => table.columns[column]!.required);
  const complete = required.map((column) => `${quoteName(column)} is not null`).join(' and ');
  const merged = columns.map((column) => `${mergedValue(table, column, beganLater(columns))} as ${quoteName(column)}`);
  const versioned = table.kind === 'versioned';
  const updates = columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${quoteName(column)} = excluded.${quoteName(column)}`);
  return [
    `with n as (${newRows(table, columns)}),`,
    versioned ? historyOfStored(name, table) : '',
    `merged as (select ${merged.join(',\n  ')}\n from n left join ${quoteName(name)} e on ${sameKey(table, 'n')})`,
    versioned
      ? `, closed as (insert into ${quoteName(`${name}_history`)} (${names})
  select ${names} from merged where upper(timestamp_range) is not null and ${complete})`
      : '',
    `insert into ${quoteName(name)} (${names}) select ${names} from merged where ${complete}`,
    versioned ? 'and upper(timestamp_range) is null' : '',
    `on conflict (${quoteNames(table.key)}) do update set ${updates.join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Whether a statement for these columns has the further parameter. */
export function asksBeginning(table: Table, columns: readonly string[]): boolean {
  return columns.some((column) => !table.key.includes(column) && table.columns[column]!.sumsSince !== undefined);
}

/** Adjusts stored rows in place, without history; unknown keys create nothing. */
export function adjustStatement(name: string, table: Table, columns: readonly string[]): string {
  const changed = columns.filter((column) => !table.key.includes(column));
  const updates = changed.map(
    (column) => `${quoteName(column)} = ${adjustedValue(table.columns[column]!, column, beganLater(columns))}`,
  );
  return `with n as (${newRows(table, columns)})
update ${quoteName(name)} e set ${updates.join(', ')} from n where ${sameKey(table, 'n')}`;
}

/** After the arrays of the columns. */
const beganLater = (columns: readonly string[]): string => `$${columns.length + 1}::bool`;

function newRows(table: Table, columns: readonly string[]): string {
  const values = columns.map((column) => {
    const { type } = table.columns[column]!;
    return arrayType(type).cast ? `${quoteName(column)}::${type} as ${quoteName(column)}` : quoteName(column);
  });
  const parameters = columns.map((column, i) => `$${i + 1}::${arrayType(table.columns[column]!.type).name}`);
  return `select ${values.join(', ')} from unnest(${parameters.join(', ')}) as u (${quoteNames(columns)})`;
}

function historyOfStored(name: string, table: Table): string {
  const columns = Object.keys(table.columns);
  const ended = columns.map((column) =>
    column === 'timestamp_range' ? 'int8range(lower(e.timestamp_range), f.lower)' : `e.${quoteName(column)}`,
  );
  // Equal bounds: two parts of a block changed it at the same moment, which is one version.
  return `first as (select ${quoteNames(table.key)}, min(lower(timestamp_range)) as lower from n group by ${quoteNames(table.key)}),
stored as (insert into ${quoteName(`${name}_history`)} (${quoteNames(columns)})
  select ${ended.join(', ')} from first f join ${quoteName(name)} e on ${sameKey(table, 'f')}
  where lower(e.timestamp_range) <> f.lower),`;
}

function sameKey(table: Table, other: string): string {
  return table.key.map((column) => `e.${quoteName(column)} = ${other}.${quoteName(column)}`).join(' and ');
}

function adjustedValue(description: Column, column: string, beganLater: string): string {
  const value = inherited(description, column, 'adjustment');
  if (!description.sumsSince) return value;
  return `case when e.${quoteName(column)} is null and ${beganLater} then null else ${value} end`;
}

function mergedValue(table: Table, column: string, beganLater: string): string {
  const description = table.columns[column]!;
  if (table.key.includes(column) || column === 'timestamp_range') return `n.${quoteName(column)}`;
  let value = inherited(description, column, 'version');
  const { reset } = table;
  if (reset?.columns.includes(column)) {
    value = `case when n.${quoteName(reset.when)} is not null then n.${quoteName(column)} else ${value} end`;
  }
  const unset = description.initial ?? description.default;
  if (unset !== undefined) value = `coalesce(${value}, ${unset})`;
  const { nullWhen, sumsSince } = description;
  if (sumsSince) {
    const isUnknown = `e.${quoteName(column)} is null and n.${quoteName(sumsSince)} is null and ${beganLater}`;
    value = `case when ${isUnknown} then null else ${value} end`;
  }
  if (nullWhen)
    value = `case when ${inherited(table.columns[nullWhen]!, nullWhen, 'version')} then null else ${value} end`;
  return value;
}

/** The merged value of the column: `n` is the newer row, `e` the stored one (all null without one). */
function inherited(description: Column, column: string, kind: FactKind): string {
  const { emptyClears, restartsAfter } = description;
  const n = `n.${quoteName(column)}`;
  const e = `e.${quoteName(column)}`;
  if (emptyClears) return `case when ${n} = '' then null else coalesce(${n}, ${e}) end`;
  return mergeRuleOf(description).sql(n, e, kind, restartsAfter && `e.${quoteName(restartsAfter)}`);
}
