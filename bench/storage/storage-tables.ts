// Bytes a transaction as Markdown: both schemas beside each other, the largest table first, each index by itself. State,
// which grows with accounts and tokens, is one line.
import type { Table } from '../../packages/schema/table.ts';
import { tables } from '../../packages/schema/tables.ts';
import { formatTable } from '../support/markdown-table.ts';
import type { MeasuredStorage } from './measure-storage.ts';

type Compared = { transactions: number; hiero: MeasuredStorage; ours: MeasuredStorage };

/** Bytes a transaction below which a table is summed up with others. */
const least = 2;

export function formatStorage({ transactions, hiero, ours }: Compared): string {
  const each = (bytes: number): string => (bytes === 0 ? '' : (bytes / transactions).toFixed(1));
  const sides = [hiero, ours].map((storage) => new Map(storage.map((table) => [table.table, table])));
  const every = [...new Set([...hiero, ...ours].map(({ table }) => table))];
  const names = every.filter(growsWithTransactions);
  const all = (name: string, side: number): number => {
    const found = sides[side]!.get(name);
    return found === undefined ? 0 : found.bytes + sum(found.indexes.map(({ bytes }) => bytes));
  };
  const both = (name: string): number => all(name, 0) + all(name, 1);
  const large = names
    .filter((name) => both(name) / 2 >= least * transactions)
    .toSorted((one, other) => both(other) - both(one));
  const small = names.filter((name) => !large.includes(name));
  const rows = large.flatMap((name) => {
    const indexes = [...new Set(sides.flatMap((side) => side.get(name)?.indexes.map(({ columns }) => columns) ?? []))];
    const ofIndex = (columns: string, side: number): number =>
      sides[side]!.get(name)?.indexes.find((index) => index.columns === columns)?.bytes ?? 0;
    return [
      [`**${name}**`, ...[0, 1].map((side) => `**${each(all(name, side))}**`)],
      ['rows', ...[0, 1].map((side) => each(sides[side]!.get(name)?.bytes ?? 0))],
      ...indexes.map((columns) => [`\`${columns}\``, ...[0, 1].map((side) => each(ofIndex(columns, side)))]),
    ];
  });
  const total = (of: readonly string[]): string[] => [0, 1].map((side) => each(sum(of.map((name) => all(name, side)))));
  return formatTable(
    ['', 'Hiero', 'ours'],
    [
      ['**all that grow with transactions**', ...total(names).map((cell) => `**${cell}**`)],
      ...rows,
      ['others of them', ...total(small)],
      ['state, balances, files', ...total(every.filter((name) => !names.includes(name)))],
    ],
  );
}

/** As large in every ledger of the benchmarks. */
const constant: ReadonlySet<string> = new Set(['file_data', 'hook_storage_change', 'network_stake', 'node_stake']);

function growsWithTransactions(name: string): boolean {
  const table: Table | undefined = Object.entries<Table>(tables).find(([known]) => known === name)?.[1];
  return (
    table?.kind === 'insert' && !constant.has(name) && !name.endsWith('_balance') && !name.startsWith('address_book')
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
