// The changes of consecutive blocks as those of one. Invariant: the tables end exactly as if each block had been
// written by itself. If merging two facts about a key would not give that, the later one goes to a later part of the
// changes.

import type { Table } from '../../../packages/schema/table.ts';
import { type TableName, tables } from '../../../packages/schema/tables.ts';
import type {
  BulkOperation,
  EncodedChanges,
  EncodedRows,
  TableChanges,
  WritableChanges,
} from '../../../packages/store/write/block-changes.ts';
import { joinEncodedRows } from '../../../packages/store/write/encoded-rows.ts';
import { createJoinFacts, type Facts, type JoinFacts } from './join-facts.ts';
import { type AnyRow, createRowKey, type RowKey } from './merge-versions.ts';

/** In the order of the blocks. Does not change the given rows. */
export function mergeBlockChanges(blocks: readonly WritableChanges[]): WritableChanges {
  if (blocks.length === 1) return blocks[0]!;
  const parts: WritableChanges['parts'] = [];
  let pending = createPendingRows();
  for (const part of blocks.flatMap((block) => block.parts)) {
    if ('encoded' in part) pending.addEncoded(part);
    else if (!('operation' in part)) pending.add(part);
    else if (!pending.apply(part)) {
      parts.push(...pending.parts(), part);
      pending = createPendingRows();
    }
  }
  return { parts: [...parts, ...pending.parts()] };
}

function createPendingRows() {
  const encoded = new Map<TableName, EncodedRows[]>();
  const inserted = new Map<TableName, AnyRow[]>();
  const keyed = new Map<TableName, KeyedRows>();

  /** @param rows of one key, from one block */
  function addFacts(name: TableName, rows: AnyRow[]): void {
    const { keyOf, joinFacts } = plans[name]!;
    let table = keyed.get(name);
    if (!table) {
      table = { byKey: new Map(), layers: [] };
      keyed.set(name, table);
    }
    const key = keyOf(rows[0]!);
    const earlier = table.byKey.get(key);
    if (earlier && joinFacts(earlier.facts, rows)) return;
    const layer = earlier ? earlier.layer + 1 : 0;
    const facts: Facts = { rows, isOwn: false };
    table.byKey.set(key, { layer, facts });
    const ofLayer = table.layers[layer];
    if (ofLayer) ofLayer.push(facts);
    else table.layers.push([facts]);
  }

  return {
    addEncoded(changes: EncodedChanges): void {
      for (const rows of changes.encoded) {
        const all = encoded.get(rows.name);
        if (all) all.push(rows);
        else encoded.set(rows.name, [rows]);
      }
    },
    add(changes: TableChanges): void {
      for (const [name, rows] of Object.entries(changes) as [TableName, AnyRow[]][]) {
        if (plans[name]) {
          for (let start = 0; start < rows.length; ) {
            const end = endOfKey(rows, start);
            addFacts(name, rows.slice(start, end));
            start = end;
          }
          continue;
        }
        const all = inserted.get(name);
        if (all) for (const row of rows) all.push(row);
        else inserted.set(name, [...rows]);
      }
    },
    /** Does to these rows what the operation would do to the stored ones; false if it concerns others. */
    apply(operation: BulkOperation): boolean {
      // If the forms are no longer needed, their row may be among the encoded ones.
      if (operation.operation !== 'settleBlockRoot' || operation.isNewer) return false;
      const files = inserted.get('record_file') ?? [];
      const index = files.findLastIndex((file) => file.consensus_end === operation.timestamp);
      if (index < 0) return false;
      files[index] = { ...files[index], hash: operation.hash };
      return true;
    },
    parts(): (TableChanges | EncodedChanges)[] {
      const parts: Record<string, AnyRow[]>[] = [Object.fromEntries(inserted)];
      for (const [name, { layers }] of keyed) {
        for (const [index, layer] of layers.entries()) {
          parts[index] ??= {};
          parts[index][name] = layer.flatMap(({ rows }) => rows);
        }
      }
      const joined = [...encoded.values()].map(joinEncodedRows);
      return joined.length > 0 ? [{ encoded: joined }, ...(parts as TableChanges[])] : (parts as TableChanges[]);
    },
  };
}

type KeyedRows = { byKey: Map<RowKey, { layer: number; facts: Facts }>; layers: Facts[][] };

/** A closed version comes before the next one of its key. */
function endOfKey(rows: readonly AnyRow[], start: number): number {
  let end = start;
  while ((rows[end]!.timestamp_range as { to: bigint | null } | undefined)?.to) end += 1;
  return end + 1;
}

/** Insert-only tables have none. */
const plans: Partial<Record<TableName, { keyOf(row: AnyRow): RowKey; joinFacts: JoinFacts }>> = Object.fromEntries(
  (Object.entries(tables) as [TableName, Table][])
    .filter(([, { kind }]) => kind !== 'insert')
    .map(([name, table]) => [name, { keyOf: createRowKey(table), joinFacts: createJoinFacts(table) }]),
);
