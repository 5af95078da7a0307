// How much room and time a bootstrap takes, from samples of the largest tables. An estimate: rows of a table are taken
// to be alike, and other tables like the average of those measured.

import type { Table } from '../../packages/schema/table.ts';
import { describedTable } from '../../packages/schema/tables.ts';
import type { MeasuredLoad } from '../../packages/store/transfer/measure-load.ts';
import type { ChosenFile } from './choose-files.ts';
import type { TakenSample } from './take-sample.ts';

export type MeasuredTable = { sample: TakenSample; measured: MeasuredLoad };

export type LoadEstimate = { diskBytes: number; seconds: number };

/** Bytes of an entry of an index, with what is free on its pages. */
const indexEntryBytes = 40;
/** Entries that a connection sorts and writes a second; 1 to 2 million, measured. */
const indexEntriesPerSecond = 1_000_000;

/** null = nothing could be measured. */
export function estimateLoad(
  files: readonly ChosenFile[],
  samples: readonly MeasuredTable[],
  filesAtOnce: number,
): LoadEstimate | null {
  if (samples.length === 0) return null;
  const byTable = new Map(samples.map((one) => [one.sample.table, ratesOf([one])]));
  const average = ratesOf(samples);
  let diskBytes = 0;
  let seconds = 0;
  for (const { table, sizeBytes, expected } of files) {
    const rates = byTable.get(table) ?? average;
    const rows = expected.rows ?? sizeBytes * rates.rows;
    const entries = rows * countIndexes(table);
    diskBytes += sizeBytes * rates.diskBytes + entries * indexEntryBytes;
    seconds += sizeBytes * rates.seconds + entries / indexEntriesPerSecond;
  }
  return { diskBytes, seconds: seconds / filesAtOnce };
}

/** For each compressed byte. */
function ratesOf(samples: readonly MeasuredTable[]): { rows: number; diskBytes: number; seconds: number } {
  const sum = (read: (one: MeasuredTable) => number): number => samples.reduce((total, one) => total + read(one), 0);
  const packed = Math.max(
    1,
    sum(({ sample }) => sample.packedBytes),
  );
  return {
    rows: sum(({ measured }) => measured.rows) / packed,
    diskBytes: sum(({ measured }) => measured.diskBytes) / packed,
    // While one part is read another is written.
    seconds: sum(({ sample, measured }) => Math.max(sample.readSeconds, measured.seconds)) / packed,
  };
}

function countIndexes(table: string): number {
  const described = describedTable(table);
  if (!described) return 0;
  const { key, indexes = [] } = described as Table;
  return (key.length > 0 ? 1 : 0) + (table.endsWith('_history') ? 0 : indexes.length);
}
