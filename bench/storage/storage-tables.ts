// Bytes a transaction as Markdown: both schemas beside each other, the largest table first, each index by itself. State,
// which grows with accounts and tokens, is one line.
import { rowsOf } from '../../packages/schema/compact-form.ts';
import type { Table } from '../../packages/schema/table.ts';
import { tables } from '../../packages/schema/tables.ts';
import { formatTable } from '../support/markdown-table.ts';
import type { MeasuredStorage } from './measure-storage.ts';

type Compared = { transactions: number; hiero: MeasuredStorage; ours: MeasuredStorage; compact: MeasuredStorage };

/** Bytes a transaction below which a table is summed up with others. */
const least = 2;

export function formatStorage({ transactions, hiero, ours, compact }: Compared): string {
  const each = (bytes: number): string => (bytes === 0 ? '' : (bytes / transactions).toFixed(1));
  const sides = [hiero, ours, inTables(compact)].map(
    (storage) => new Map(storage.map((table) => [table.table, table])),
  );
  const every = [...new Set([...hiero, ...ours, ...compact].map(({ table }) => table))].filter(
    (name) => !isStored(name),
  );
  const names = every.filter(growsWithTransactions);
  const all = (name: string, side: number): number => {
    const found = sides[side]!.get(name);
    return found === undefined ? 0 : found.bytes + sum(found.indexes.map(({ bytes }) => bytes));
  };
  const largest = (name: string): number => Math.max(...sides.map((_, side) => all(name, side)));
  const large = names
    .filter((name) => largest(name) >= least * transactions)
    .toSorted((one, other) => largest(other) - largest(one));
  const small = names.filter((name) => !large.includes(name));
  const rows = large.flatMap((name) => {
    const indexes = [...new Set(sides.flatMap((side) => side.get(name)?.indexes.map(({ columns }) => columns) ?? []))];
    const ofIndex = (columns: string, side: number): number =>
      sides[side]!.get(name)?.indexes.find((index) => index.columns === columns)?.bytes ?? 0;
    return [
      [`**${name}**`, ...sides.map((_, side) => `**${each(all(name, side))}**`)],
      ['rows', ...sides.map((_, side) => each(sides[side]!.get(name)?.bytes ?? 0))],
      ...indexes.map((columns) => [`\`${columns}\``, ...sides.map((_, side) => each(ofIndex(columns, side)))]),
    ];
  });
  const total = (of: readonly string[]): string[] =>
    sides.map((_, side) => each(sum(of.map((name) => all(name, side)))));
  return formatTable(
    ['', 'Hiero', 'ours', 'ours, compact'],
    [
      ['**all that grow with transactions**', ...total(names).map((cell) => `**${cell}**`)],
      ...rows,
      ['others of them', ...total(small)],
      ['state, balances, files', ...total(every.filter((name) => !names.includes(name)))],
    ],
  );
}

/** Bytes of all tables that grow with transactions, with their indexes. */
export function sumGrowing(storage: MeasuredStorage): number {
  return sum(
    storage
      .filter(({ table }) => growsWithTransactions(table))
      .map(({ bytes, indexes }) => bytes + sum(indexes.map((index) => index.bytes))),
  );
}

/** Under the names of the tables whose rows they are. */
function inTables(storage: MeasuredStorage): MeasuredStorage {
  const tableOf = new Map<string, string>(Object.entries(rowsOf).map(([table, stored]) => [stored, table]));
  return storage.map((one) => ({ ...one, table: tableOf.get(one.table) ?? one.table }));
}

function isStored(name: string): boolean {
  return Object.values<string>(rowsOf).includes(name);
}

/** As large in every ledger of the benchmarks. */
const constant: ReadonlySet<string> = new Set(['file_data', 'hook_storage_change', 'network_stake', 'node_stake']);

function growsWithTransactions(name: string): boolean {
  if (name === 'entity_moments' || isStored(name)) return true;
  const table: Table | undefined = Object.entries<Table>(tables).find(([known]) => known === name)?.[1];
  return (
    table?.kind === 'insert' && !constant.has(name) && !name.endsWith('_balance') && !name.startsWith('address_book')
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
