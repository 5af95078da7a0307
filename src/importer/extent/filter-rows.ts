// Removes a block's rows of transactions that a filter leaves out: only rows of single moments. State is made by all
// transactions, so that balances, holdings and supplies are right whatever is left out. A transaction, its children and
// those of its batch are stored or left out together.

import type { TimestampRange } from '../../../packages/postgres/wire/values.ts';
import type { Table } from '../../../packages/schema/table.ts';
import { type Row, tables } from '../../../packages/schema/tables.ts';
import { momentTables } from '../../../packages/store/retention/kept-rows.ts';
import type { BlockChanges, TableChanges } from '../../../packages/store/write/block-changes.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { FilterTerms, StreamFilter } from './stream-filter.ts';

export type FilteredBlock = {
  changes: BlockChanges;
  /** hbar transfers that are not stored, but count. */
  leftOutTransfers: Row<'crypto_transfer'>[];
};

export function filterRows(
  changes: BlockChanges,
  items: readonly Pick<BlockItem, 'consensusTimestamp' | 'parent' | 'type'>[],
  { included, excluded }: StreamFilter,
): FilteredBlock {
  const roots = new Map(items.map((item) => [item.consensusTimestamp, rootOf(item)]));
  const groups = new Map<bigint, Group>();
  const groupAt = (timestamp: bigint): Group | undefined => {
    const root = roots.get(timestamp);
    if (root === undefined) return undefined;
    const known = groups.get(root);
    if (known) return known;
    const created: Group = { entities: new Set(), types: new Set() };
    groups.set(root, created);
    return created;
  };
  for (const { consensusTimestamp, type } of items) groupAt(consensusTimestamp)?.types.add(type);
  for (const part of changes.parts) {
    if ('operation' in part) continue;
    for (const [name, rows] of Object.entries(part) as [string, AnyRow[]][]) {
      const columns = touching[name];
      if (columns) for (const row of rows) collect(groupAt(timeOf(row)), row, columns);
    }
  }
  const isKept = (timestamp: bigint): boolean => {
    const group = groupAt(timestamp);
    if (!group) return true;
    return (included === null || meets(group, included)) && (excluded === null || !meets(group, excluded));
  };

  const leftOutTransfers: Row<'crypto_transfer'>[] = [];
  const parts = changes.parts.map((part) => {
    if ('operation' in part) return part;
    const kept: Record<string, AnyRow[]> = { ...part };
    for (const name of filteredTables) {
      const rows = kept[name];
      if (!rows) continue;
      kept[name] = rows.filter((row) => isKept(row.consensus_timestamp as bigint));
      if (name !== 'crypto_transfer') continue;
      leftOutTransfers.push(...rows.filter((row) => !isKept(row.consensus_timestamp as bigint)));
    }
    return kept as TableChanges;
  });
  return { changes: { parts }, leftOutTransfers };
}

/** A transaction with everything that belongs to it. */
type Group = { entities: Set<bigint>; types: Set<number> };
type AnyRow = Record<string, unknown>;

/** Blocks are stored whole, with the hashes and counts of the stream. */
const filteredTables = momentTables.filter(([, column]) => column === 'consensus_timestamp').map(([name]) => name);

/** Columns of the entities that a transaction touches, by table. */
const touching: Partial<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(tables).map(([name, { columns }]: [string, Table]) => [
    name,
    Object.keys(columns).filter((column) => columns[column]!.touched),
  ]),
);

/** 0n = of no transaction. */
function timeOf({ consensus_timestamp: at, timestamp_range: range }: AnyRow): bigint {
  return (at as bigint | undefined) ?? (range as TimestampRange | undefined)?.from ?? 0n;
}

function collect(group: Group | undefined, row: AnyRow, columns: readonly string[]): void {
  if (!group) return;
  for (const column of columns) {
    const value = row[column];
    if (typeof value === 'bigint') group.entities.add(value);
    else if (Array.isArray(value)) for (const transfer of value) collectNftTransfer(group, transfer as AnyRow);
  }
}

function collectNftTransfer(group: Group, transfer: AnyRow): void {
  for (const column of ['sender_account_id', 'receiver_account_id', 'token_id']) {
    const value = transfer[column];
    if (typeof value === 'bigint') group.entities.add(value);
  }
}

function meets({ entities, types }: Group, terms: FilterTerms): boolean {
  for (const id of terms.entities) if (entities.has(id)) return true;
  for (const type of terms.types) if (types.has(type)) return true;
  return false;
}

function rootOf(item: Pick<BlockItem, 'consensusTimestamp' | 'parent'>): bigint {
  let root = item;
  while (root.parent) root = root.parent;
  return root.consensusTimestamp;
}
