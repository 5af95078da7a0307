// Writes stored blocks again: rows of single moments are replaced, a storage slot gets its last value, and all other
// state stays.
import type pg from 'pg';
import { storedTable } from '../../schema/compact-form.ts';
import { quoteName } from '../../schema/sql-names.ts';
import type { Row, TableName } from '../../schema/tables.ts';
import { momentTables } from '../retention/kept-rows.ts';
import type { BlockChanges, TableChanges, TimeSpan } from './block-changes.ts';
import { describeDeletedNfts } from './bulk-operations.ts';
import type { RowCopier } from './copy-rows.ts';
import { countDaysAgain } from './day-totals.ts';
import type { RowCollector } from './encoded-rows.ts';
import type { TableMerger } from './merge-rows.ts';
import { markAsBeside, restoreRows } from './restore-rows.ts';
import type { AnyRow } from './row-encoder.ts';
import { noteReimport } from './upsert-import-revision.ts';

/** `after`: the end of the block before, ns. */
export type ReplacedSpan = TimeSpan & { after: bigint };

export type ReplaceOptions = {
  changes: BlockChanges;
  span: ReplacedSpan;
  copiers: Partial<Record<TableName, RowCopier>>;
  collector: RowCollector;
  mergeState: TableMerger;
  isCompact: boolean;
};

/** Proofs were checked when the blocks were imported, and what a client needs of them is the same. */
const kept: readonly string[] = [
  'block_proof',
  'block_verification',
  'block_root_forms',
  'block_path',
  'kept_stream_file',
  'import_doubt',
];

/** By time column. */
const replaced = [...momentTables, ['contract_state_change', 'consensus_timestamp'] as const].filter(
  ([table]) => !kept.includes(table),
) as [TableName, string][];

export async function replaceRows(client: pg.Client, options: ReplaceOptions): Promise<void> {
  const { changes, span, copiers, collector, mergeState, isCompact } = options;
  const parts = changes.parts.filter((part): part is TableChanges => !('operation' in part));
  if (isCompact) await restoreRows(client, span);
  for (const [table, column] of replaced) {
    const text = `delete from ${quoteName(storedTable(table, isCompact))} where ${column} >= $1 and ${column} <= $2`;
    await client.query({ name: `replace-${table}`, text, values: [span.from, span.to] });
    const rows = parts.flatMap((part) => (part[table] ?? []) as AnyRow[]);
    if (rows.length > 0) await copiers[table]!(client, collector.encode(table, rows));
  }
  if (isCompact) await markAsBeside(client, span);
  await replaceDoubts(client, parts, options);
  for (const { contract_state: slots = [] } of parts) {
    const newest = slots.length > 0 ? await leaveNewer(client, slots) : [];
    // No member of a slot is a sum.
    if (newest.length > 0) await mergeState(client, newest, false);
  }
  for (const part of changes.parts) if ('operation' in part) await describeDeletedNfts(client, part);
  await countDaysAgain(client, span);
  await sumTokensAgain(client, span);
  await noteReimport(client, span);
}

/**
 * What is said of tokens is summed up from the beginning, where it had come to these blocks and the beginning is still
 * there. What a process sums up meanwhile is not stored: it goes on from a place that is not the last one any
 * more.
 */
async function sumTokensAgain(client: pg.Client, { from }: TimeSpan): Promise<void> {
  for (const [progress, sums] of summedTables) {
    const { rowCount } = await client.query({
      name: `begin-${progress}`,
      text: `update ${progress} set consensus_timestamp = -1 where consensus_timestamp >= $1
and not exists (select from mirror_extent where kept_from is not null)`,
      values: [from],
    });
    if (rowCount === 1) for (const table of sums) await client.query(`delete from ${quoteName(table)}`);
  }
}

/** How far they go, and what was summed up. */
const summedTables = [
  ['contract_token_progress', ['contract_token', 'contract_token_holder', 'contract_token_serial']],
  ['token_total_progress', ['token_total']],
] as const;

/** What was doubtful of proofs was found when the blocks were imported. */
async function replaceDoubts(
  client: pg.Client,
  parts: readonly TableChanges[],
  { span: { from, to }, copiers, collector }: ReplaceOptions,
): Promise<void> {
  const text = `delete from import_doubt where consensus_end between $1 and $2 and kind <> 'proof'`;
  await client.query({ name: 'replace-doubts', text, values: [from, to] });
  const rows = parts.flatMap((part) => (part.import_doubt ?? []) as AnyRow[]);
  if (rows.length > 0) await copiers.import_doubt!(client, collector.encode('import_doubt', rows));
}

/** Without the slots that a later block changed. */
async function leaveNewer(
  client: pg.Client,
  slots: readonly Row<'contract_state'>[],
): Promise<readonly Row<'contract_state'>[]> {
  const values = [
    slots.map((row) => row.contract_id),
    slots.map((row) => row.slot),
    slots.map((row) => row.modified_timestamp),
  ];
  const { rows } = await client.query<{ place: string }>({
    name: 'newer-slots',
    text: `select n.place from unnest($1::int8[], $2::bytea[], $3::int8[]) with ordinality as n (contract_id, slot, at, place)
join contract_state s on s.contract_id = n.contract_id and s.slot = n.slot and s.modified_timestamp > n.at`,
    values,
  });
  const newer = new Set(rows.map(({ place }) => Number(place) - 1));
  return slots.filter((_slot, index) => !newer.has(index));
}
